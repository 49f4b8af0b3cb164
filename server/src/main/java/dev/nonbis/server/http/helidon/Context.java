package dev.nonbis.server.http.helidon;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** Helidon's context of a connection, reading through us. */
final class Context implements ConnectionContext {

    final WatchedConnection connection;
    private final ConnectionContext origin;
    private final DataReader reader;

    Context(ConnectionContext origin, WatchedConnection connection, DataReader reader) {
        this.origin = origin;
        this.connection = connection;
        this.reader = reader;
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public DataWriter dataWriter() {
        return origin.dataWriter();
    }

    @Override
    public ListenerContext listenerContext() {
        return origin.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return origin.executor();
    }

    @Override
    public Router router() {
        return origin.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return origin.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return origin.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return origin.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return origin.localPeer();
    }

    @Override
    public boolean isSecure() {
        return origin.isSecure();
    }

    @Override
    public String socketId() {
        return origin.socketId();
    }

    @Override
    public String childSocketId() {
        return origin.childSocketId();
    }
}
