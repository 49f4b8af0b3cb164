package dev.nonbis.server.config;

import java.net.InetAddress;

/** Addresses that begin with the same bits, as in {@code 10.0.0.0/8}; one address is a range of its own. */
public record AddressRange(InetAddress network, int bits) {

    private static final int BITS_PER_BYTE = 8;

    public boolean contains(InetAddress address) {
        byte[] ours = network.getAddress();
        byte[] theirs = address.getAddress();
        if (ours.length != theirs.length) {
            return false;
        }
        for (int i = 0; i < bits; i++) {
            int mask = 1 << (BITS_PER_BYTE - 1 - i % BITS_PER_BYTE);
            if (((ours[i / BITS_PER_BYTE] ^ theirs[i / BITS_PER_BYTE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
