package dev.nonbis.server.webhook;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Which addresses may be called. A tenant must not reach through the server what only the server can reach. */
public final class Addresses {

    private static final int MAX_PORT = 65_535;

    private final boolean privateToo;

    /**
     * The rule of one server.
     *
     * @param privateToo whether private addresses, and plain HTTP, are allowed
     */
    public Addresses(boolean privateToo) {
        this.privateToo = privateToo;
    }

    /** What is wrong with the URL, as far as can be seen without looking up its host. */
    public Optional<String> complaint(String url) {
        try {
            var uri = new URI(url);
            boolean scheme = "https".equals(uri.getScheme()) || (privateToo && "http".equals(uri.getScheme()));
            if (!scheme) {
                return Optional.of("must begin with https://");
            }
            if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
                return Optional.of("must have a host, and neither credentials nor a fragment");
            }
            if (uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
                return Optional.of("must have a port from 1 to " + MAX_PORT);
            }
            return url.length() > 2048 ? Optional.of("is longer than 2048 characters") : Optional.empty();
        } catch (URISyntaxException notUrl) {
            return Optional.of("is not a URL");
        }
    }

    /** Whether this address may be called. */
    boolean isAllowed(InetAddress address) {
        return privateToo || !isInner(address);
    }

    static boolean isInner(InetAddress address) {
        return address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()
                || switch (address) {
                    case Inet4Address four -> isInner(four.getAddress());
                    case Inet6Address six -> isInnerSix(six.getAddress());
                    default -> true;
                };
    }

    /** What the registry of special IPv4 addresses keeps from the public net, beyond what Java knows of. */
    private static boolean isInner(byte[] four) {
        int first = four[0] & 0xff;
        int second = four[1] & 0xff;
        return first == 0
                || first >= 240
                || (first == 100 && second >= 64 && second < 128)
                || (first == 192 && second == 0)
                || (first == 198 && (second == 18 || second == 19));
    }

    /**
     * All but global unicast addresses, which begin with 2 or 3. Of these, all that carry an IPv4 address to a translator: Teredo and its
     * neighbours in 2001::/23, and 6to4. Addresses of NAT64 and those that are mapped from IPv4 do not begin so.
     */
    private static boolean isInnerSix(byte[] six) {
        boolean global = (six[0] & 0xe0) == 0x20;
        boolean protocols = six[0] == 0x20 && six[1] == 0x01 && (six[2] & 0xfe) == 0;
        boolean sixToFour = six[0] == 0x20 && six[1] == 0x02;
        return !global || protocols || sixToFour;
    }
}
