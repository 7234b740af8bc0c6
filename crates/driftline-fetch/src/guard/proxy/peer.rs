//! Who connects to the proxy? Only the browser may, which runs as the same user.
//!
//! Other users of the machine could else send what they like in our name. Linux says whose each connection is.

use std::net::SocketAddr;

/// Does the other end of a connection belong to the user who runs driftline? Where the machine does not say, it does.
#[cfg(target_os = "linux")]
pub(super) fn is_ours(peer: SocketAddr, own: SocketAddr) -> bool {
    use std::io::Read as _;
    use std::os::unix::fs::MetadataExt as _;

    /// A table of 100,000 connections.
    const MOST_BYTES: u64 = 15_000_000;

    let mut table = String::new();
    let read = std::fs::File::open("/proc/net/tcp").and_then(|file| file.take(MOST_BYTES).read_to_string(&mut table));
    match (read, std::fs::metadata("/proc/self")) {
        (Ok(_), Ok(process)) => user_of(&table, peer, own) == Some(process.uid()),
        _ => true,
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_ours(peer: SocketAddr, _own: SocketAddr) -> bool {
    peer.ip().is_loopback()
}

/// The user whose end of a connection is `local`, by the table of connections that Linux keeps.
#[cfg(target_os = "linux")]
fn user_of(table: &str, local: SocketAddr, remote: SocketAddr) -> Option<u32> {
    let (local, remote) = (written(local)?, written(remote)?);
    table.lines().skip(1).find_map(|line| {
        let mut fields = line.split_ascii_whitespace().skip(1);
        let is_it = fields.next()? == local && fields.next()? == remote;
        // State, queues, timer, retransmissions, then the user.
        if is_it { fields.nth(4)?.parse().ok() } else { None }
    })
}

/// An address as the table writes it: `0100007F:1F90`.
#[cfg(target_os = "linux")]
fn written(address: SocketAddr) -> Option<String> {
    let SocketAddr::V4(address) = address else { return None };
    Some(format!("{:08X}:{:04X}", u32::from_ne_bytes(address.ip().octets()), address.port()))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::{is_ours, user_of};

    #[test]
    fn a_connection_of_ours_is_ours_and_an_unknown_one_is_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap();
        let client = TcpStream::connect(own).unwrap();
        let peer = client.local_addr().unwrap();
        assert!(is_ours(peer, own));
        assert!(!is_ours("127.0.0.2:1".parse().unwrap(), own));
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn the_table_says_whose_a_connection_is() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
                     0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1\n   \
                     1: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 2 1\n";
        let (peer, own) = ("127.0.0.1:54321".parse().unwrap(), "127.0.0.1:8080".parse().unwrap());
        assert_eq!(user_of(table, peer, own), Some(1000));
        assert_eq!(user_of(table, own, peer), None);
    }
}
