//! Tells addresses of the open internet from special-purpose ones (IANA IPv4 and IPv6
//! Special-Purpose Address Registries, RFC 6890). The networks for documentation count as open:
//! no host is reached there.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

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

/// Returns true when an address is not of the open internet, by itself or by an IPv4 address that
/// it carries.
pub(crate) fn is_special(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_special_v4(address),
        IpAddr::V6(address) => match carried(address) {
            Carried::Nothing => is_special_v6(address),
            Carried::One(inner) => is_special_v4(inner),
            Carried::Two(one, other) => is_special_v4(one) || is_special_v4(other),
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

/// The IPv4 addresses to which packets for an IPv6 address are translated or tunnelled.
enum Carried {
    Nothing,
    One(Ipv4Addr),
    Two(Ipv4Addr, Ipv4Addr),
}

fn carried(address: Ipv6Addr) -> Carried {
    let segments = address.segments();
    let at = |index: usize| {
        Ipv4Addr::from_bits(u32::from(segments[index]) << 16 | u32::from(segments[index + 1]))
    };
    match segments {
        // Mapped (RFC 4291, section 2.5.5.2), and translated (RFC 2765, section 2.1).
        [0, 0, 0, 0, 0, 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => Carried::One(at(6)),
        // NAT64 (RFC 6052, section 2.1).
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => Carried::One(at(6)),
        // 6to4 (RFC 3056, section 2).
        [0x2002, ..] => Carried::One(at(1)),
        // Teredo: its server, and the client with its bits turned (RFC 4380, section 4).
        [0x2001, 0, ..] => Carried::Two(at(2), Ipv4Addr::from_bits(!at(6).to_bits())),
        // ISATAP (RFC 5214, section 6.1): an interface id in any network.
        [_, _, _, _, 0 | 0x200, 0x5efe, ..] => {
            if is_special_v6(address) {
                Carried::Nothing
            } else {
                Carried::One(at(6))
            }
        }
        _ => Carried::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn special(text: &str) -> bool {
        is_special(text.parse().expect(text))
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

    proptest! {
        /// However an IPv4 address is carried, the judgement is that of the address itself.
        #[test]
        fn an_embedded_address_is_judged_as_itself(bits: u32) {
            let inner = Ipv4Addr::from_bits(bits);
            let [high, low] = [(bits >> 16) as u16, bits as u16];
            let plain = is_special(inner.into());
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
                prop_assert_eq!(is_special(carrier.into()), plain, "{} in {}", inner, carrier);
            }
            prop_assert!(is_special(inner.to_ipv6_compatible().into()));
        }

        /// Addresses that the standard library knows to be private are never let through.
        #[test]
        fn what_is_private_to_the_standard_library_is_special(bits: u32, wide: u128) {
            let v4 = Ipv4Addr::from_bits(bits);
            if v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_broadcast()
                || v4.is_unspecified() || v4.is_multicast()
            {
                prop_assert!(is_special(v4.into()));
            }
            let v6 = Ipv6Addr::from_bits(wide);
            if v6.is_unique_local() || v6.is_unicast_link_local() || v6.is_multicast()
                || v6.is_loopback()
            {
                prop_assert!(is_special(v6.into()));
            }
        }
    }
}
