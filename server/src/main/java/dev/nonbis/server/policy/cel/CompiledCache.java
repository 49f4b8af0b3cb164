package dev.nonbis.server.policy.cel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The programs used last, bounded by number and by the length of their texts, which their size in memory follows. */
final class CompiledCache {

    private static final int MAX_PROGRAMS = 1_000;
    private static final int MAX_CHARACTERS = 256 * 1024;

    private final Map<String, CelProgram> programs = new LinkedHashMap<>(16, 0.75f, true);
    private int characters;

    synchronized Optional<CelProgram> find(String text) {
        return Optional.ofNullable(programs.get(text));
    }

    synchronized void keep(String text, CelProgram program) {
        if (programs.put(text, program) == null) {
            characters += text.length();
        }
        var oldest = programs.entrySet().iterator();
        while (programs.size() > MAX_PROGRAMS || characters > MAX_CHARACTERS) {
            characters -= oldest.next().getKey().length();
            oldest.remove();
        }
    }
}
