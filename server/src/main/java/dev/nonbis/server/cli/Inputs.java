package dev.nonbis.server.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON that the user gave. It must reach the server as it was written, so numbers keep every digit and repeated names are refused. */
final class Inputs {

    static final JsonMapper EXACT = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private final Terminal terminal;

    Inputs(Terminal terminal) {
        this.terminal = terminal;
    }

    /** JSON text, {@code @file}, or {@code -} for standard input. */
    JsonNode json(String argument) {
        if (argument.equals("-")) {
            return parse(standardInput(), "standard input");
        }
        if (argument.startsWith("@")) {
            var file = Path.of(argument.substring(1));
            return parse(read(file), file.toString());
        }
        return parse(argument, "--input");
    }

    /** A JSON file by its name's end, else YAML. */
    JsonNode document(Path file) {
        var text = read(file);
        if (file.toString().endsWith(".json")) {
            return parse(text, file.toString());
        }
        try {
            var settings = LoadSettings.builder().setLabel(file.toString()).build();
            return EXACT.valueToTree(new Load(settings).loadFromString(text));
        } catch (YamlEngineException e) {
            throw new CommandFailed(ExitCode.USAGE, file + " is not YAML: " + e.getMessage(), "correct the file");
        }
    }

    private JsonNode parse(String text, String source) {
        try {
            return EXACT.readTree(text);
        } catch (JacksonException e) {
            throw new CommandFailed(
                    ExitCode.USAGE,
                    source + " is not JSON: " + e.getOriginalMessage(),
                    "give JSON text, @FILE, or - for standard input");
        }
    }

    private String read(Path file) {
        try {
            return Files.readString(terminal.directory().resolve(file));
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.USAGE, "cannot read " + file, "check its path and permissions");
        }
    }

    private String standardInput() {
        try {
            return new String(terminal.streams().in().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.ERROR, "cannot read standard input", "give the JSON as text or @FILE");
        }
    }
}
