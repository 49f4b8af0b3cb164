package dev.nonbis.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What the operating system says about a process; empty where it does not say. */
public record ProcessFacts(OptionalLong residentKib, OptionalLong peakResidentKib, Optional<Duration> cpu) {

    public static ProcessFacts of(long pid) {
        var status = status(pid);
        return new ProcessFacts(
                kib(status, "VmRSS:"),
                kib(status, "VmHWM:"),
                ProcessHandle.of(pid).flatMap(handle -> handle.info().totalCpuDuration()));
    }

    public static ProcessFacts ofThisProcess() {
        return of(ProcessHandle.current().pid());
    }

    private static String status(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "status"));
        } catch (IOException e) {
            // Only Linux has this file; elsewhere the figures are reported as not available.
            return "";
        }
    }

    static OptionalLong kib(String status, String name) {
        return status.lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst();
    }
}
