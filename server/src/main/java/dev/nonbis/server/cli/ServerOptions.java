package dev.nonbis.server.cli;

import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.RetryPolicy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Which server a command talks to, and as whom. */
final class ServerOptions {

    private static final URI DEFAULT_URL = URI.create("http://127.0.0.1:7420");

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The server (NONBIS_URL; default http://127.0.0.1:7420).")
    private Optional<URI> url = Optional.empty();

    @Option(
            names = "--api-key-file",
            paramLabel = "FILE",
            description = "A file with the API key (else NONBIS_API_KEY, else ./nonbis-data/dev-key).")
    private Optional<Path> apiKeyFile = Optional.empty();

    @Option(names = "--request-timeout", paramLabel = "DURATION", description = "How long one attempt may take (30s).")
    private Duration requestTimeout = Duration.ofSeconds(30);

    @Option(names = "--attempts", paramLabel = "N", description = "How often a call is sent when no answer comes (5).")
    private int attempts = 5;

    /**
     * Where an API key may be found, the first that has one.
     *
     * @param given the file that an option names
     * @param variable of the environment
     * @param devFile what {@code nonbis dev} keeps in the directory
     */
    record KeyPlaces(Optional<Path> given, String variable, Optional<Path> devFile) {}

    NonbisClient connect(Terminal terminal) {
        return connect(terminal, token(terminal));
    }

    /** The same server as somebody else. */
    NonbisClient connect(Terminal terminal, String token) {
        return build(() -> NonbisClient.builder(url(terminal), token)
                .requestTimeout(requestTimeout)
                .retryPolicy(
                        new RetryPolicy(attempts, Duration.ofMinutes(1), Duration.ofMillis(100), Duration.ofSeconds(5)))
                .build());
    }

    /** A client that sends once and does not wait long for the answer. */
    NonbisClient hastyClient(Terminal terminal, Duration patience) {
        return build(() -> NonbisClient.builder(url(terminal), token(terminal))
                .requestTimeout(patience)
                .retryPolicy(RetryPolicy.NONE)
                .build());
    }

    private static NonbisClient build(Supplier<NonbisClient> client) {
        try {
            return client.get();
        } catch (IllegalArgumentException e) {
            throw new CommandFailed(
                    ExitCode.USAGE,
                    String.valueOf(e.getMessage()),
                    "give a URL such as " + DEFAULT_URL + ", and at least one attempt");
        }
    }

    private URI url(Terminal terminal) {
        var given =
                url.orElseGet(() -> Optional.ofNullable(terminal.environment().get("NONBIS_URL"))
                        .map(URI::create)
                        .orElse(DEFAULT_URL));
        if (!"http".equals(given.getScheme()) && !"https".equals(given.getScheme())) {
            throw new IllegalArgumentException("not an http or https address: " + given);
        }
        return given;
    }

    private String token(Terminal terminal) {
        return token(terminal, new KeyPlaces(apiKeyFile, "NONBIS_API_KEY", Optional.of(DevKey.DEFAULT_FILE)))
                .orElseThrow(() -> new CommandFailed(
                        ExitCode.AUTHENTICATION,
                        "no API key",
                        "give --api-key-file or NONBIS_API_KEY, or run where nonbis dev keeps its data"));
    }

    /** Whether the key was given by nobody, so that the directory's is taken. */
    boolean isDevKey(Terminal terminal) {
        return apiKeyFile.isEmpty() && !terminal.environment().containsKey("NONBIS_API_KEY");
    }

    Optional<String> token(Terminal terminal, KeyPlaces places) {
        if (places.given().isPresent()) {
            return Optional.of(read(terminal.directory().resolve(places.given().get())));
        }
        var variable = terminal.environment().get(places.variable());
        if (variable != null) {
            return Optional.of(variable);
        }
        return places.devFile()
                .map(terminal.directory()::resolve)
                .filter(Files::exists)
                .map(ServerOptions::read);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandFailed(
                    ExitCode.AUTHENTICATION, "cannot read the API key file " + file, "check its path and permissions");
        }
    }
}
