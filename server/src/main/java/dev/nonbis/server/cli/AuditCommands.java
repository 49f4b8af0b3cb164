package dev.nonbis.server.cli;

import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Query;
import dev.nonbis.core.audit.AuditExport;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What can be done with the audit log. */
final class AuditCommands {

    private AuditCommands() {}

    /** Every event behind a place, exactly as the server tells it. */
    private static void forEachEvent(NonbisClient client, Optional<String> start, Predicate<JsonObject> goOn) {
        var after = start;
        do {
            var page = client.audit(Query.ALL.and("after", after).and("limit", "500"));
            for (var event : items(page.answer().text())) {
                if (!goOn.test(event)) {
                    return;
                }
            }
            after = page.next();
        } while (after.isPresent());
    }

    private static List<JsonObject> items(String page) {
        var items = new ArrayList<JsonObject>();
        if (Json.parse(page.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject json) {
            json.array("items").map(JsonArray::items).orElse(List.of()).forEach(item -> {
                if (item instanceof JsonObject event) {
                    items.add(event);
                }
            });
        }
        return items;
    }

    @Command(
            name = "export",
            description = "Seal the log and print it: its signed checkpoint, then every event, a line of JSON each.",
            mixinStandardHelpOptions = true)
    static final class Export extends ClientCommand {

        @Option(
                names = "--after",
                paramLabel = "SEQ",
                description = "Only the events behind this one, and no checkpoint.")
        private Optional<String> after = Optional.empty();

        Export(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var client = connect();
            if (after.isPresent()) {
                forEachEvent(client, after, event -> print(event));
                return ExitCode.DONE;
            }
            client.sealCheckpoint();
            var header = client.exportHeader();
            terminal.out().println(AuditExport.line(object(header.text())));
            long last =
                    header.body().path("export").path("checkpoint").path("seq").asLong(0);
            forEachEvent(client, Optional.empty(), event -> event.integer("seq").orElse(0L) <= last && print(event));
            return ExitCode.DONE;
        }

        private boolean print(JsonObject event) {
            terminal.out().println(AuditExport.line(event));
            return true;
        }

        private static JsonObject object(String text) {
            return Json.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject json
                    ? json
                    : JsonObject.EMPTY;
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
            description = "Check an export, offline, or the chain of the server when no file is given.",
            mixinStandardHelpOptions = true)
    static final class Verify extends ClientCommand {

        @Parameters(arity = "0..1", paramLabel = "FILE", description = "An export; - for standard input.")
        private Optional<String> file = Optional.empty();

        @Option(
                names = "--keys",
                paramLabel = "FILE",
                description = "The public keys that check the signatures: /.well-known/nonbis-keys.json of the server.")
        private Optional<String> keys = Optional.empty();

        @Option(
                names = "--checkpoint",
                paramLabel = "FILE",
                description = "A checkpoint that was kept elsewhere, which the log must have passed.")
        private Optional<String> checkpoint = Optional.empty();

        @Option(names = "--range", description = "The export has no checkpoint and may start behind the first event.")
        private boolean range;

        @Option(names = "--head", paramLabel = "HASH", description = "The hash that the last event must have.")
        private Optional<String> head = Optional.empty();

        Verify(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var signedFiles = new SignedFiles(terminal);
            var verification = new AuditVerification(range, keys.map(signedFiles::keys));
            checkpoint.map(signedFiles::object).ifPresent(verification::mustPass);
            if (file.isPresent()) {
                readFile(file.get(), verification);
                head.ifPresent(verification::mustEndWith);
                if (verification.signatureUnchecked()) {
                    terminal.err().println("note: no signature was checked; give the public keys with --keys");
                }
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
            forEachEvent(client, Optional.empty(), event -> {
                verification.line(Json.canonical(event));
                return true;
            });
            verification.end();
        }

        private void readFile(String name, AuditVerification verification) {
            try (var in = name.equals("-") ? terminal.streams().in() : open(name)) {
                var lines = new LineReader(in);
                for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                    verification.line(line.get());
                }
                if (lines.endedWithinLine()) {
                    verification.cutOff();
                }
                verification.end();
            } catch (IOException e) {
                throw new CommandFailed(ExitCode.ERROR, "cannot read " + name, "check its path and permissions");
            }
        }

        private InputStream open(String name) throws IOException {
            return Files.newInputStream(terminal.directory().resolve(Path.of(name)));
        }
    }
}
