package dev.nonbis.bench.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Gives each new connection to the next of several servers that takes it, as a plain load balancer does. */
public final class RoundRobin implements AutoCloseable {

    private final List<InetSocketAddress> targets;
    private final ServerSocket listener;
    private final AtomicInteger next = new AtomicInteger();

    private RoundRobin(List<InetSocketAddress> targets, ServerSocket listener) {
        this.targets = targets;
        this.listener = listener;
    }

    public static RoundRobin over(List<InetSocketAddress> targets) throws IOException {
        var balancer = new RoundRobin(List.copyOf(targets), new ServerSocket(0, 200, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(balancer::accept);
        return balancer;
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var client = listener.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                // The listener was closed; the loop sees it.
            }
        }
    }

    private void connect(Socket client) {
        for (int tries = 0; tries < targets.size(); tries++) {
            var server = new Socket();
            try {
                server.connect(targets.get(Math.floorMod(next.getAndIncrement(), targets.size())));
                server.setTcpNoDelay(true);
                client.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> copy(client, server));
                copy(server, client);
                return;
            } catch (IOException e) {
                // This one is down; the next may not be.
                closeQuietly(server);
            }
        }
        closeQuietly(client);
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // One side is gone, and the other is closed with it.
        } finally {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more either way.
        }
    }
}
