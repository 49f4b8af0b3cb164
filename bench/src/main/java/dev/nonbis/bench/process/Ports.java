package dev.nonbis.bench.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Two loopback ports that were free a moment ago. */
public record Ports(int api, int management) {

    public static Ports free() throws IOException {
        // Both are held at once, so that they differ.
        try (var one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var two = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new Ports(one.getLocalPort(), two.getLocalPort());
        }
    }

    public InetSocketAddress apiAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), api);
    }

    public InetSocketAddress managementAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), management);
    }
}
