package dev.nonbis.server.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** A completion script for the fish shell, which picocli does not make. */
final class FishCompletion {

    private static final String PREAMBLE = """
            # Completion of %1$s for fish; made by: %1$s completion fish
            function __%1$s_path
                set -l words (commandline -opc)
                set -l path
                for word in $words[2..-1]
                    if not string match -q -- '-*' $word
                        set -a path $word
                    end
                end
                echo "$path"
            end
            function __%1$s_at
                test (__%1$s_path) = "$argv"
            end
            function __%1$s_in
                set -l path (__%1$s_path)
                test "$path" = "$argv"; or string match -q -- "$argv *" "$path"
            end
            complete -c %1$s -f
            """;

    private final String name;
    private final CommandLine root;
    private final List<String> lines = new ArrayList<>();

    FishCompletion(String name, CommandLine root) {
        this.name = name;
        this.root = root;
    }

    String script() {
        lines.clear();
        add(root, "");
        return PREAMBLE.formatted(name) + String.join("\n", lines);
    }

    private void add(CommandLine command, String path) {
        command.getSubcommands().forEach((word, below) -> {
            var usage = below.getCommandSpec().usageMessage();
            if (usage.hidden()) {
                return;
            }
            lines.add("complete -c %s -n '__%s_at %s' -a %s -d %s"
                    .formatted(name, name, path, word, quoted(first(usage.description()))));
            add(below, path.isEmpty() ? word : path + " " + word);
        });
        for (var option : command.getCommandSpec().options()) {
            if (!option.hidden() && !path.isEmpty()) {
                lines.add(line(option, path));
            }
        }
    }

    private String line(OptionSpec option, String path) {
        var line = new StringBuilder("complete -c %s -n '__%s_in %s'".formatted(name, name, path));
        for (var word : option.names()) {
            line.append(word.startsWith("--") ? " -l " + word.substring(2) : " -s " + word.substring(1));
        }
        if (option.arity().max() > 0) {
            // What follows is the option's; only where it is a file do names of files help.
            line.append(" -r").append(option.paramLabel().contains("FILE") ? " -F" : "");
        }
        return line.append(" -d ").append(quoted(first(option.description()))).toString();
    }

    private static String first(String[] description) {
        return description.length == 0 ? "" : description[0].replace("%n", " ").replace("%%", "%");
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
