//! Hosts of addresses: one form for all the ways to write one, and which of them are not of the open
//! internet.
//!
//! Special-purpose addresses are those of the IANA IPv4 and IPv6 Special-Purpose Address Registries
//! (RFC 6890). The networks for documentation count as open: no host is reached there. The standard
//! library's `is_global` is not stable, and that of `ip_network` (0.4.1) takes an IPv6 address for a
//! global one that carries a private IPv4 address, mapped (`::ffff:10.0.0.1`) or translated.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::Host;

/// Networks that are not of the open internet, with the length of their prefix.
const SPECIAL_V4: [(Ipv4Addr, u32); 13] = [
    // "This network" (RFC 791, section 3.2).
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    // Private use (RFC 1918).
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    // Shared between a provider and its customers (RFC 6598).
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    // Loopback (RFC 1122, section 3.2.1.3).
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Link local, metadata services of clouds among them (RFC 3927).
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    // IETF protocol assignments (RFC 6890, section 2.1).
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    // Relays of 6to4 (RFC 7526).
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    // Benchmarks (RFC 2544).
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    // Multicast (RFC 5771).
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    // Reserved, and broadcast (RFC 1112, section 4).
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::BROADCAST, 32),
];

const SPECIAL_V6: [(Ipv6Addr, u32); 7] = [
    // Unspecified, loopback and IPv4-compatible (RFC 4291, section 2.5).
    (Ipv6Addr::UNSPECIFIED, 96),
    // Translation within one network (RFC 8215).
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48),
    // Discard only (RFC 6666).
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 64),
    // Unique local (RFC 4193).
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7),
    // Link local (RFC 4291, section 2.5.6).
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10),
    // Site local, deprecated and still routed by some (RFC 3879).
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10),
    // Multicast (RFC 4291, section 2.7).
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8),
];

/// Returns a host in the one form by which hosts are compared: a name in lower case without its
/// trailing dot, an address as [`canonical_address`] has it.
///
/// A connection to the unspecified address reaches this machine (RFC 1122, section 3.2.1.3), so it
/// has the form of the loopback address.
pub fn canonical_host<S: AsRef<str>>(host: &Host<S>) -> String {
    let address = match host {
        Host::Domain(name) => {
            return name.as_ref().trim_end_matches('.').to_ascii_lowercase();
        }
        Host::Ipv4(address) => canonical_address((*address).into()),
        Host::Ipv6(address) => canonical_address((*address).into()),
    };
    match address {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.to_string(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => format!("[{}]", Ipv6Addr::LOCALHOST),
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// Returns the IPv4 address where an IPv6 address is only another way to write one.
pub fn canonical_address(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => translated(v6)
            .or_else(|| compatible(v6))
            .map_or(address, IpAddr::V4),
    }
}

/// Returns true when a host is this very machine: a loopback address, or a name that is reserved for
/// it (RFC 6761, section 6.3).
pub fn is_loopback_host<S: AsRef<str>>(host: &Host<S>) -> bool {
    match host {
        Host::Ipv4(address) => address.is_loopback(),
        // Only the mapped form: what a translator carries goes out to the network.
        Host::Ipv6(address) => address.to_canonical().is_loopback(),
        Host::Domain(_) => {
            let name = canonical_host(host);
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

/// Returns true when an address is not of the open internet, by itself or by an IPv4 address that
/// it carries.
pub fn is_special_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_special_v4(address),
        IpAddr::V6(address) => match carried(address) {
            CarriedAddresses::Nothing => is_special_v6(address),
            CarriedAddresses::One(inner) => is_special_v4(inner),
            CarriedAddresses::Two(one, other) => is_special_v4(one) || is_special_v4(other),
        },
    }
}

fn is_special_v4(address: Ipv4Addr) -> bool {
    SPECIAL_V4
        .iter()
        .any(|(network, length)| (address.to_bits() ^ network.to_bits()) >> (32 - length) == 0)
}

fn is_special_v6(address: Ipv6Addr) -> bool {
    SPECIAL_V6
        .iter()
        .any(|(network, length)| (address.to_bits() ^ network.to_bits()) >> (128 - length) == 0)
}

/// The IPv4 address in the two groups of an IPv6 address from this one on.
fn v4_at(address: Ipv6Addr, index: usize) -> Ipv4Addr {
    let segments = address.segments();
    Ipv4Addr::from_bits(u32::from(segments[index]) << 16 | u32::from(segments[index + 1]))
}

/// The IPv4 host that is reached by an IPv6 address because packets for it are translated.
fn translated(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        // Mapped (RFC 4291, section 2.5.5.2), and translated (RFC 2765, section 2.1).
        [0, 0, 0, 0, 0, 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => Some(v4_at(address, 6)),
        // NAT64 (RFC 6052, section 2.1).
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => Some(v4_at(address, 6)),
        _ => None,
    }
}

/// The IPv4 address of an IPv4-compatible one (RFC 4291, section 2.5.5.1). The unspecified and the
/// loopback address look like such ones and are none.
fn compatible(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let is_compatible =
        address.to_bits() >> 32 == 0 && !address.is_unspecified() && !address.is_loopback();
    is_compatible.then(|| v4_at(address, 6))
}

/// The IPv4 addresses to which packets for an IPv6 address are translated or tunnelled.
enum CarriedAddresses {
    Nothing,
    One(Ipv4Addr),
    Two(Ipv4Addr, Ipv4Addr),
}

fn carried(address: Ipv6Addr) -> CarriedAddresses {
    if let Some(inner) = translated(address) {
        return CarriedAddresses::One(inner);
    }
    let at = |index| v4_at(address, index);
    match address.segments() {
        // 6to4 (RFC 3056, section 2).
        [0x2002, ..] => CarriedAddresses::One(at(1)),
        // Teredo: its server, and the client with its bits turned (RFC 4380, section 4).
        [0x2001, 0, ..] => CarriedAddresses::Two(at(2), Ipv4Addr::from_bits(!at(6).to_bits())),
        // ISATAP (RFC 5214, section 6.1): an interface id in any network.
        [_, _, _, _, 0 | 0x200, 0x5efe, ..] => {
            if is_special_v6(address) {
                CarriedAddresses::Nothing
            } else {
                CarriedAddresses::One(at(6))
            }
        }
        _ => CarriedAddresses::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn special(text: &str) -> bool {
        is_special_address(text.parse().expect(text))
    }

    #[test]
    fn every_special_network_is_known_up_to_its_edges() {
        for (first, last, before, after) in [
            ("0.0.0.0", "0.255.255.255", None, Some("1.0.0.0")),
            (
                "10.0.0.0",
                "10.255.255.255",
                Some("9.255.255.255"),
                Some("11.0.0.0"),
            ),
            (
                "100.64.0.0",
                "100.127.255.255",
                Some("100.63.255.255"),
                Some("100.128.0.0"),
            ),
            (
                "127.0.0.0",
                "127.255.255.255",
                Some("126.255.255.255"),
                Some("128.0.0.0"),
            ),
            (
                "169.254.0.0",
                "169.254.255.255",
                Some("169.253.255.255"),
                Some("169.255.0.0"),
            ),
            (
                "172.16.0.0",
                "172.31.255.255",
                Some("172.15.255.255"),
                Some("172.32.0.0"),
            ),
            (
                "192.0.0.0",
                "192.0.0.255",
                Some("191.255.255.255"),
                Some("192.0.1.0"),
            ),
            (
                "192.88.99.0",
                "192.88.99.255",
                Some("192.88.98.255"),
                Some("192.88.100.0"),
            ),
            (
                "192.168.0.0",
                "192.168.255.255",
                Some("192.167.255.255"),
                Some("192.169.0.0"),
            ),
            (
                "198.18.0.0",
                "198.19.255.255",
                Some("198.17.255.255"),
                Some("198.20.0.0"),
            ),
            (
                "224.0.0.0",
                "255.255.255.255",
                Some("223.255.255.255"),
                None,
            ),
            ("fc00::", "fdff:ffff::", Some("fbff:ffff::"), Some("fe00::")),
            ("fe80::", "febf:ffff::", Some("fe7f:ffff::"), None),
            ("fec0::", "feff:ffff::", None, None),
            ("ff00::", "ffff::", None, None),
            ("100::", "100::ffff", Some("ff::"), Some("100:0:0:1::")),
            ("64:ff9b:1::", "64:ff9b:1:ffff::", None, Some("64:ff9b:2::")),
        ] {
            assert!(special(first), "{first}");
            assert!(special(last), "{last}");
            for open in [before, after].into_iter().flatten() {
                assert!(!special(open), "{open}");
            }
        }
    }

    #[test]
    fn a_private_address_in_another_spelling_is_the_same_address() {
        for text in [
            "::",
            "::1",
            "::127.0.0.1",
            "::8.8.8.8",
            "::ffff:127.0.0.1",
            "::ffff:0:10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::169.254.169.254",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::1",
            "2001:0:7f00:1::",
            "2001:0:808:808::80ff:fffe",
            "2606:4700::5efe:10.0.0.1",
            "fe80::5efe:8.8.8.8",
        ] {
            assert!(special(text), "{text}");
        }
        for text in [
            "1.1.1.1",
            "2606:4700::1111",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
            // The client 8.8.8.8 behind the server 8.8.4.4.
            "2001:0:808:404::f7f7:f7f7",
        ] {
            assert!(!special(text), "{text}");
        }
    }

    fn form(host: &str) -> String {
        canonical_host(&Host::parse(host).expect(host))
    }

    #[test]
    fn a_host_has_one_form_however_it_is_written() {
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f.1",
            "0177.0.0.1",
            "127.0.0.1.",
            "%31%32%37.0.0.1",
            "\u{ff11}27.0.0.1",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[0:0:0:0:0:FFFF:7F00:1]",
            "[::ffff:0:127.0.0.1]",
            "[::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "0.0.0.0",
            "0",
            "[::ffff:0.0.0.0]",
        ] {
            assert_eq!(form(host), "127.0.0.1", "{host}");
        }
        for host in ["[::1]", "[0:0::0:1]", "[::]"] {
            assert_eq!(form(host), "[::1]", "{host}");
        }
        for host in [
            "b\u{fc}cher.example",
            "B\u{dc}CHER.example.",
            "xn--bcher-kva.example",
        ] {
            assert_eq!(form(host), "xn--bcher-kva.example", "{host}");
        }
        for (host, other) in [
            ("[2001:db8::1]", "[2001:db8::1]"),
            // Tunnels lead to another host than the IPv4 address that they pass.
            ("[2002:7f00:1::]", "[2002:7f00:1::]"),
            ("localhost", "localhost"),
        ] {
            assert_eq!(form(host), other);
        }
    }

    #[test]
    fn this_machine_is_told_from_hosts_that_only_look_like_it() {
        let is_here = |host: &str| is_loopback_host(&Host::parse(host).expect(host));
        for host in [
            "localhost",
            "LOCALHOST.",
            "api.localhost",
            "127.9.9.9",
            "[::1]",
            "[::ffff:127.0.0.1]",
        ] {
            assert!(is_here(host), "{host}");
        }
        for host in [
            "localhost.example",
            "127.0.0.1.nip.io",
            "0.0.0.0",
            "[::]",
            "[64:ff9b::7f00:1]",
            "192.168.0.1",
        ] {
            assert!(!is_here(host), "{host}");
        }
    }

    proptest! {
        /// However an IPv4 address is carried, the judgement is that of the address itself.
        #[test]
        fn an_embedded_address_is_judged_as_itself(bits: u32) {
            let inner = Ipv4Addr::from_bits(bits);
            let [high, low] = [(bits >> 16) as u16, bits as u16];
            let plain = is_special_address(inner.into());
            let teredo = !bits;
            for carrier in [
                inner.to_ipv6_mapped(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2606, 0x4700, 0, 0, 0, 0x5efe, high, low),
                Ipv6Addr::new(
                    0x2001, 0, 0x0808, 0x0808, 0, 0, (teredo >> 16) as u16, teredo as u16,
                ),
            ] {
                prop_assert_eq!(is_special_address(carrier.into()), plain, "{} in {}", inner, carrier);
            }
            prop_assert!(is_special_address(inner.to_ipv6_compatible().into()));
        }

        /// Addresses that the standard library knows to be private are never let through.
        #[test]
        fn what_is_private_to_the_standard_library_is_special(bits: u32, wide: u128) {
            let v4 = Ipv4Addr::from_bits(bits);
            if v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_broadcast()
                || v4.is_unspecified() || v4.is_multicast()
            {
                prop_assert!(is_special_address(v4.into()));
            }
            let v6 = Ipv6Addr::from_bits(wide);
            if v6.is_unique_local() || v6.is_unicast_link_local() || v6.is_multicast()
                || v6.is_loopback()
            {
                prop_assert!(is_special_address(v6.into()));
            }
        }
    }
}
