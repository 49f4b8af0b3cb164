package dev.nonbis.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Commands of a page and what they print. Blocks marked {@code sh} are commands; a block marked {@code console} shows what the block
 * before it prints: each of its lines must be in the output, where {@code …} stands for any characters.
 */
record Transcript(String commands, List<String> shown) {

    /** Blocks that never end or would run this test again. The first is what the others talk to, so it is started beside them. */
    private static final Set<String> NOT_RUN = Set.of("./nonbis dev\n", "./verify\n");

    static List<Transcript> of(Markdown page) {
        var steps = new ArrayList<Transcript>();
        for (var block : page.blocks()) {
            if (block.language().equals("sh") && !NOT_RUN.contains(block.text())) {
                steps.add(new Transcript(block.text(), List.of()));
            } else if (block.language().equals("console")) {
                var last = steps.removeLast();
                steps.add(new Transcript(last.commands(), block.text().lines().toList()));
            }
        }
        return steps;
    }

    List<String> missingFrom(String output) {
        var lines = output.lines().map(String::strip).toList();
        return shown.stream()
                .map(String::strip)
                .filter(line -> lines.stream().noneMatch(pattern(line).asMatchPredicate()))
                .toList();
    }

    private static Pattern pattern(String line) {
        return Pattern.compile(
                Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
}
