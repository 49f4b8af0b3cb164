package dev.nonbis.bench.sim;

import dev.nonbis.server.http.Response;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import javax.net.ssl.SSLSession;

/** What the JDK's client wraps in streams, unwrapped. */
final class Bodies {

    private Bodies() {}

    static byte[] of(HttpRequest request) {
        var taken = new Taken();
        request.bodyPublisher().ifPresent(publisher -> publisher.subscribe(taken));
        return taken.bytes;
    }

    static <T> HttpResponse<T> response(HttpRequest request, Response response, HttpResponse.BodyHandler<T> handler) {
        var fields = new LinkedHashMap<String, List<String>>();
        fields.put("Content-Type", List.of(response.contentType()));
        response.headers().forEach((name, value) -> fields.put(name, List.of(value)));
        var headers = HttpHeaders.of(fields, (name, value) -> true);
        var subscriber = handler.apply(new HttpResponse.ResponseInfo() {
            @Override
            public int statusCode() {
                return response.status();
            }

            @Override
            public HttpHeaders headers() {
                return headers;
            }

            @Override
            public HttpClient.Version version() {
                return HttpClient.Version.HTTP_1_1;
            }
        });
        subscriber.onSubscribe(new Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {}
        });
        subscriber.onNext(List.of(ByteBuffer.wrap(response.body())));
        subscriber.onComplete();
        return new Received<>(
                request,
                response.status(),
                headers,
                subscriber.getBody().toCompletableFuture().join());
    }

    private record Received<T>(HttpRequest request, int statusCode, HttpHeaders headers, T body)
            implements HttpResponse<T> {

        @Override
        public Optional<HttpResponse<T>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return request.uri();
        }

        @Override
        public HttpClient.Version version() {
            return HttpClient.Version.HTTP_1_1;
        }
    }

    private static final class Taken implements Subscriber<ByteBuffer> {

        private byte[] bytes = {};

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer part) {
            var all = new byte[bytes.length + part.remaining()];
            System.arraycopy(bytes, 0, all, 0, bytes.length);
            part.get(all, bytes.length, part.remaining());
            bytes = all;
        }

        @Override
        public void onError(Throwable failure) {
            throw new IllegalStateException("a body of bytes cannot fail", failure);
        }

        @Override
        public void onComplete() {}
    }
}
