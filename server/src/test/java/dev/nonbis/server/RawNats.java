package dev.nonbis.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client of the broker that sends what no library would. */
final class RawNats implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    RawNats(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(5000);
        in = socket.getInputStream();
        out = socket.getOutputStream();
        line();
        send("CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true}\r\n");
        flush();
    }

    void send(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Publishes with a block of headers as it is. */
    void publish(String subject, String reply, String headers, String body) throws IOException {
        send("HPUB " + subject + (reply.isEmpty() ? "" : " " + reply) + " " + headers.length() + " "
                + (headers.length() + body.length()) + "\r\n" + headers + body + "\r\n");
        flush();
    }

    /** Returns when the broker has taken all that was sent. */
    private void flush() throws IOException {
        send("PING\r\n");
        out.flush();
        for (var line = line(); !line.equals("PONG"); line = line()) {
            if (line.startsWith("-ERR")) {
                throw new IOException("the broker complains: " + line);
            }
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the broker hung up: " + line);
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
