package dev.nonbis.bench.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A worker's connection to the ledger; one message at a time. */
final class LedgerConnection implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader in;

    LedgerConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** Returns when the ledger has it. */
    synchronized void say(String message) throws IOException {
        socket.getOutputStream().write((message + "\n").getBytes(StandardCharsets.US_ASCII));
        if (in.readLine() == null) {
            throw new IOException("the ledger is gone");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
