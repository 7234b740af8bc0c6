//! Places for connections: ordinary ones, of which a client has a share, and reserved ones for `/health`.
//!
//! A client that sends a byte every few seconds holds its connections, but no more than its share. Whoever finds no
//! place gets a reserved one, on which only `/health` is answered. These cannot be used up: a new connection ends the
//! oldest that has not asked for anything yet, and a request for `/health` is there within a moment.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use driftline_watch::settings::Network;
use tokio::sync::oneshot;

use crate::client::{Client, is_trusted};
use crate::limits::Limits;

/// All places. Copies are the same ones.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    taken: Arc<Mutex<Taken>>,
    limits: Limits,
    trusted: Arc<[Network]>,
}

#[derive(Debug, Default)]
struct Taken {
    connections: usize,
    by_client: HashMap<Client, usize>,
    reserved: VecDeque<Seat>,
    /// The number of the next reserved place.
    next: u64,
}

/// A reserved place that is taken. Dropping it ends the connection.
#[derive(Debug)]
struct Seat {
    number: u64,
    is_asking: Arc<AtomicBool>,
    _end: oneshot::Sender<()>,
}

/// The place of a connection, until it is dropped.
#[derive(Debug)]
pub(crate) enum Place {
    /// Everything is answered.
    Ordinary(#[expect(dead_code, reason = "held until it is dropped")] Share),
    /// Only `/health` is answered.
    Reserved(Reserved),
}

/// A part of what a client may have at the same time.
#[derive(Debug)]
pub(crate) struct Share {
    places: Places,
    client: Option<Client>,
    /// A connection, not a request.
    is_connection: bool,
}

/// A reserved place.
#[derive(Debug)]
pub(crate) struct Reserved {
    places: Places,
    number: u64,
    is_asking: Arc<AtomicBool>,
    /// Answers when the place is taken away.
    pub(crate) end: oneshot::Receiver<()>,
}

impl Places {
    pub(crate) fn new(limits: Limits, trusted: &[Network]) -> Self {
        Self { taken: Arc::default(), limits, trusted: trusted.into() }
    }

    /// The proxies that the operator trusts.
    pub(crate) fn trusted(&self) -> &[Network] {
        &self.trusted
    }

    /// A place for a connection from an address; none if even the reserved ones are all at work.
    pub(crate) fn admit(&self, address: IpAddr) -> Option<Place> {
        // A proxy connects for many; each of its requests is counted for its client.
        let client = (!is_trusted(address, &self.trusted)).then(|| Client::of(address));
        let mut taken = self.taken();
        if taken.connections < self.limits.places && taken.takes(client, self.limits.share) {
            taken.connections += 1;
            return Some(Place::Ordinary(Share { places: self.clone(), client, is_connection: true }));
        }
        if taken.reserved.len() >= self.limits.reserved {
            let idle = taken.reserved.iter().position(|seat| !seat.is_asking.load(Ordering::Relaxed))?;
            drop(taken.reserved.remove(idle));
        }
        let (number, is_asking, (sender, end)) = (taken.next, Arc::<AtomicBool>::default(), oneshot::channel());
        taken.next += 1;
        taken.reserved.push_back(Seat { number, is_asking: Arc::clone(&is_asking), _end: sender });
        Some(Place::Reserved(Reserved { places: self.clone(), number, is_asking, end }))
    }

    /// Room for a request of a client behind a trusted proxy, if it has not its share already.
    pub(crate) fn request(&self, client: Client) -> Option<Share> {
        let is_free = self.taken().takes(Some(client), self.limits.share);
        is_free.then(|| Share { places: self.clone(), client: Some(client), is_connection: false })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    /// Counts one more for a client, unless it has its share.
    fn takes(&mut self, client: Option<Client>, share: usize) -> bool {
        let Some(client) = client else { return true };
        let own = self.by_client.entry(client).or_default();
        let is_free = *own < share;
        *own += usize::from(is_free);
        is_free
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        taken.connections -= usize::from(self.is_connection);
        if let Some(client) = self.client
            && let Some(own) = taken.by_client.get_mut(&client)
        {
            *own -= 1;
            if *own == 0 {
                taken.by_client.remove(&client);
            }
        }
    }
}

impl Reserved {
    /// Marks that a request came: the place is not taken away any more.
    pub(crate) fn asking(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_asking)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.places.taken().reserved.retain(|seat| seat.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::{Client, Limits, Place, Places};

    fn places(trusted: &[&str]) -> Places {
        let limits = Limits { places: 4, share: 2, reserved: 2, ..Limits::default() };
        Places::new(limits, &trusted.iter().map(|network| network.parse().unwrap()).collect::<Vec<_>>())
    }

    fn ordinary(places: &Places, addresses: &[&str]) -> Vec<bool> {
        let admitted: Vec<_> = addresses.iter().map(|address| places.admit(address.parse().unwrap())).collect();
        admitted.iter().map(|place| matches!(place, Some(Place::Ordinary(_)))).collect()
    }

    #[test]
    fn a_client_has_its_share_and_leaves_room_for_others() {
        let places = places(&[]);
        let addresses =
            ["192.0.2.1", "192.0.2.1", "192.0.2.1", "2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.2"];
        assert_eq!(ordinary(&places, &addresses), [true, true, false, true, true, false, false]);
        // All of them are gone again.
        assert_eq!(ordinary(&places, &addresses[..2]), [true, true]);
    }

    #[test]
    fn a_trusted_proxy_has_no_share_but_its_clients_have() {
        let places = places(&["10.0.0.0/8"]);
        assert_eq!(ordinary(&places, &["10.0.0.1"; 5]), [true, true, true, true, false]);
        let client = Client::of("192.0.2.1".parse().unwrap());
        let requests: Vec<_> = (0..3).map(|_| places.request(client)).collect();
        assert_eq!(requests.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
        drop(requests);
        assert!(places.request(client).is_some());
    }

    #[test]
    fn a_reserved_place_is_taken_from_the_oldest_that_asks_for_nothing() {
        let places = places(&[]);
        let admit = || places.admit("192.0.2.1".parse().unwrap());
        let _ordinary = [admit(), admit()];
        let Some([Place::Reserved(mut first), Place::Reserved(mut second)]) = admit().zip(admit()).map(<[_; 2]>::from)
        else {
            panic!("they are reserved")
        };
        first.asking().store(true, Ordering::Relaxed);
        let Some(Place::Reserved(third)) = admit() else { panic!("it is reserved") };
        assert!(second.end.try_recv().is_err_and(|end| end == tokio::sync::oneshot::error::TryRecvError::Closed));
        assert!(first.end.try_recv().is_err_and(|end| end == tokio::sync::oneshot::error::TryRecvError::Empty));
        third.asking().store(true, Ordering::Relaxed);
        assert!(admit().is_none(), "both are at work");
        drop(first);
        assert!(admit().is_some());
    }
}
