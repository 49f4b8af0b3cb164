package dev.nonbis.bench.abuse;

import dev.nonbis.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a server holds at rest: its heap after a full collection, its open files and sockets, its threads by name. */
record Vitals(long heapMib, long descriptors, Set<String> threads) {

    // Answers that are kept for replays, and rows that are kept in memory, are bounded by the server and may be others'
    // now.
    static final long MORE_HEAP_MIB = 40;
    static final long MORE_DESCRIPTORS = 24;

    private static final Pattern THREAD = Pattern.compile("^\"([^\"]+)\"", Pattern.MULTILINE);
    private static final Pattern TOTAL = Pattern.compile("^Total +\\d+ +(\\d+)", Pattern.MULTILINE);
    // Threads of pools, which end when they have nothing to do.
    private static final Pattern TEMPORARY =
            Pattern.compile(".*(-worker|Compiler|^GC |^Attach|reaper|^pool-|^qtp|Compensat|unparker).*");

    static Vitals of(long pid) throws IOException, InterruptedException {
        var heap = TOTAL.matcher(jcmd(pid, "GC.class_histogram"));
        if (!heap.find()) {
            throw new IOException("jcmd did not tell the size of the heap");
        }
        try (var open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return new Vitals(Long.parseLong(heap.group(1)) >> 20, open.count(), threads(jcmd(pid, "Thread.print")));
        }
    }

    private static Set<String> threads(String dump) {
        return THREAD.matcher(dump)
                .results()
                .map((MatchResult found) -> found.group(1).replaceAll("\\d+", "#"))
                .filter(name -> !TEMPORARY.matcher(name).matches())
                .collect(Collectors.toSet());
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        return Tool.run(jcmd, Long.toString(pid), command);
    }

    /** What is not back to where it was. */
    List<String> missedBy(Vitals now) {
        var missed = new ArrayList<String>();
        if (now.heapMib > heapMib + MORE_HEAP_MIB) {
            missed.add("the heap holds " + now.heapMib + " MiB after a full collection, " + heapMib
                    + " before the attack");
        }
        if (now.descriptors > descriptors + MORE_DESCRIPTORS) {
            missed.add(now.descriptors + " descriptors are open, " + descriptors + " before the attack");
        }
        threads.stream()
                .filter(name -> !now.threads.contains(name))
                .forEach(name -> missed.add("the thread " + name + " has ended"));
        return missed;
    }
}
