package dev.nonbis.server.bus.nats;

import io.nats.client.impl.SocketDataPort;
import java.io.IOException;

/** A socket to the broker behind a {@link HeaderFilter}. Public because the client library makes it by its name. */
public final class FilteredSocket extends SocketDataPort {

    private final HeaderFilter filter = new HeaderFilter();
    private byte[] chunk = {};

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (chunk.length < length) {
            chunk = new byte[length];
        }
        while (filter.isEmpty()) {
            int count = super.read(chunk, 0, length);
            if (count <= 0) {
                return count;
            }
            filter.write(chunk, count);
        }
        return filter.read(into, offset, length);
    }
}
