package dev.nonbis.server.cli;

import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Query;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What can be done with the audit log. */
final class AuditCommands {

    private AuditCommands() {}

    /** Every event behind a place, as a line of JSON. */
    private static void forEachEvent(NonbisClient client, Optional<String> start, Consumer<String> line) {
        var after = start;
        do {
            var page = client.audit(Query.ALL.and("after", after).and("limit", "500"));
            page.items().forEach(event -> line.accept(event.toString()));
            after = page.next();
        } while (after.isPresent());
    }

    @Command(name = "export", description = "Print every event as a line of JSON.", mixinStandardHelpOptions = true)
    static final class Export extends ClientCommand {

        @Option(names = "--after", paramLabel = "SEQ", description = "Only events behind this one.")
        private Optional<String> after = Optional.empty();

        Export(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            forEachEvent(connect(), after, terminal.out()::println);
            return ExitCode.DONE;
        }
    }

    @Command(name = "head", description = "Show the last event's seq and hash.", mixinStandardHelpOptions = true)
    static final class Head extends ClientCommand {

        Head(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().auditHead());
            return ExitCode.DONE;
        }
    }

    @Command(
            name = "verify",
            description = "Check the chain of an export, offline, or of the server when no file is given.",
            mixinStandardHelpOptions = true)
    static final class Verify extends ClientCommand {

        @Parameters(arity = "0..1", paramLabel = "FILE", description = "An export; - for standard input.")
        private Optional<String> file = Optional.empty();

        @Option(names = "--range", description = "The export may start behind the first event.")
        private boolean range;

        @Option(names = "--head", paramLabel = "HASH", description = "The hash that the last event must have.")
        private Optional<String> head = Optional.empty();

        Verify(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var verification = new AuditVerification(range);
            if (file.isPresent()) {
                readFile(file.get(), verification);
                head.ifPresent(verification::mustEndWith);
            } else {
                readServer(verification);
            }
            terminal.out().println(report.isJson() ? verification.json() : verification.summary());
            return ExitCode.DONE;
        }

        /** The chain may grow meanwhile, so the head is asked for first and must be passed on the way. */
        private void readServer(AuditVerification verification) {
            var client = connect();
            var body = client.auditHead().body();
            verification.mustPass(body.path("seq").asLong(0), body.path("hash").asString(""));
            forEachEvent(client, Optional.empty(), verification::line);
            verification.end();
        }

        private void readFile(String name, AuditVerification verification) {
            try (var reader = name.equals("-") ? standardInput() : open(name)) {
                for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                    verification.line(line);
                }
                verification.end();
            } catch (IOException e) {
                throw new CommandFailed(ExitCode.ERROR, "cannot read " + name, "check its path and permissions");
            }
        }

        private BufferedReader open(String name) throws IOException {
            return Files.newBufferedReader(terminal.directory().resolve(Path.of(name)));
        }

        private BufferedReader standardInput() {
            return new BufferedReader(new InputStreamReader(terminal.streams().in(), StandardCharsets.UTF_8));
        }
    }
}
