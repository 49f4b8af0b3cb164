package dev.nonbis.server.http.jetty;

import java.nio.file.Path;
import java.util.Optional;

/** Where one listener listens and what it tolerates. Port 0 takes a free one. */
public record HttpConfig(String host, int port, Optional<TlsFiles> tls, HttpLimits limits) {

    /** A certificate chain and its private key, both PEM. */
    public record TlsFiles(Path certificateChain, Path privateKey) {}

    public static HttpConfig loopback(int port) {
        return new HttpConfig("127.0.0.1", port, Optional.empty(), HttpLimits.MANAGEMENT);
    }

    public HttpConfig with(HttpLimits other) {
        return new HttpConfig(host, port, tls, other);
    }

    public HttpConfig with(TlsFiles files) {
        return new HttpConfig(host, port, Optional.of(files), limits);
    }
}
