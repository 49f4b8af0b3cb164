package dev.nonbis.server.cli;

import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.RetryPolicy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
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

    NonbisClient connect(Terminal terminal) {
        try {
            return NonbisClient.builder(url(terminal), token(terminal))
                    .requestTimeout(requestTimeout)
                    .retryPolicy(new RetryPolicy(
                            attempts, Duration.ofMinutes(1), Duration.ofMillis(100), Duration.ofSeconds(5)))
                    .build();
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
        if (apiKeyFile.isPresent()) {
            return read(terminal.directory().resolve(apiKeyFile.get()));
        }
        var variable = terminal.environment().get("NONBIS_API_KEY");
        if (variable != null) {
            return variable;
        }
        var devKey = terminal.directory().resolve(DevKey.DEFAULT_FILE);
        if (Files.exists(devKey)) {
            return read(devKey);
        }
        throw new CommandFailed(
                ExitCode.AUTHENTICATION,
                "no API key",
                "give --api-key-file or NONBIS_API_KEY, or run where nonbis dev keeps its data");
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
