//! Does the archive keep what it is given, and give it back? On a real disk, with a real catalog.

mod capture;
mod damage;
mod foreign;
mod keep;
mod missing;
mod original;
mod threads;
