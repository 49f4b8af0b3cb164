package dev.nonbis.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;

/** Requests over HTTP. */
final class HttpCarrier implements Carrier {

    private final HttpClient http;
    private final URI base;
    private final Duration requestTimeout;

    HttpCarrier(HttpClient http, URI base, Duration requestTimeout) {
        this.http = http;
        this.base = base;
        this.requestTimeout = requestTimeout;
    }

    @Override
    public Reply carry(Sent sent) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(base + sent.path())).timeout(requestTimeout);
        sent.headers().forEach(request::header);
        request.method(sent.method(), sent.body().map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody));
        try {
            var response = http.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
            var headers = new HashMap<String, String>();
            response.headers()
                    .map()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
            return new Reply(response.statusCode(), headers, response.body());
        } catch (HttpConnectTimeoutException | ConnectException e) {
            throw new NotSentException("no connection", e);
        } catch (IOException e) {
            if (e.getCause() instanceof UnresolvedAddressException) {
                throw new NotSentException("no such host", e);
            }
            throw e;
        }
    }
}
