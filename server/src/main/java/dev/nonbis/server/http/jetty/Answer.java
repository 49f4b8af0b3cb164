package dev.nonbis.server.http.jetty;

import dev.nonbis.server.http.MemoryBudget;
import dev.nonbis.server.http.Response;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;

/** Writes one answer, and waits until the client's side has taken it: a client that does not read in time loses its connection. */
final class Answer {

    private static final int BUFFER_BYTES = 16 << 10;

    private final Request request;
    private final org.eclipse.jetty.server.Response to;
    private final Client client;
    private final HttpLimits limits;

    Answer(Request request, org.eclipse.jetty.server.Response to, Client client, HttpLimits limits) {
        this.request = request;
        this.to = to;
        this.client = client;
        this.limits = limits;
    }

    /** The connection ends with this answer. HTTP/2 has no such header, and ends its stream alone. */
    void endsConnection() {
        if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
            to.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
    }

    /** Whether the client has not sent its body, because nobody asked for it. */
    boolean waitsForContinue() {
        return request.getHeaders().contains(HttpHeader.EXPECT);
    }

    void send(Response response, MemoryBudget.Account account) throws IOException {
        TransportProblems.fill(to, response);
        boolean head = request.getMethod().equals("HEAD");
        if (response.stream().isEmpty()) {
            write(true, ByteBuffer.wrap(response.body()));
        } else if (head) {
            write(true, ByteBuffer.allocate(0));
        } else {
            account.set(BUFFER_BYTES);
            var out = new Pieces();
            response.stream().get().writeTo(out);
            out.push(true);
        }
    }

    private void write(boolean last, ByteBuffer bytes) throws IOException {
        var written = new Callback.Completable(Invocable.InvocationType.NON_BLOCKING);
        var allowed = limits.longest(bytes.remaining());
        to.write(last, bytes, written);
        try {
            if (!written.isDone() || written.isCompletedExceptionally()) {
                written.get(allowed.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException slow) {
            throw new SocketTimeoutException("the client does not read its answer");
        } catch (ExecutionException gone) {
            throw new IOException("the client left before the end of the answer", gone.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the server is stopping");
        }
    }

    /** The body of an answer that is written piece by piece. Flushing when there is nothing to flush notices that the client has left. */
    private final class Pieces extends OutputStream {

        private final byte[] buffer = new byte[BUFFER_BYTES];
        private int filled;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (length > buffer.length - filled && filled > 0) {
                push(false);
            }
            if (length > buffer.length) {
                Answer.this.write(false, ByteBuffer.wrap(bytes, from, length));
            } else {
                System.arraycopy(bytes, from, buffer, filled, length);
                filled += length;
            }
        }

        @Override
        public void flush() throws IOException {
            if (filled > 0) {
                push(false);
            }
            if (client.hasLeft()) {
                throw new IOException("the client has left");
            }
        }

        private void push(boolean last) throws IOException {
            int length = filled;
            filled = 0;
            Answer.this.write(last, ByteBuffer.wrap(buffer, 0, length));
        }
    }
}
