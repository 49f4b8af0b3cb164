package dev.nonbis.bench.faults;

import dev.nonbis.bench.faults.DiskLog.Created;
import dev.nonbis.bench.faults.DiskLog.Flushed;
import dev.nonbis.bench.faults.DiskLog.Linked;
import dev.nonbis.bench.faults.DiskLog.NamesFlushed;
import dev.nonbis.bench.faults.DiskLog.Removed;
import dev.nonbis.bench.faults.DiskLog.Renamed;
import dev.nonbis.bench.faults.DiskLog.Told;
import dev.nonbis.bench.faults.DiskLog.Truncated;
import dev.nonbis.bench.faults.DiskLog.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a directory may look like after the power failed. What was flushed is there. Of what was not, each piece is there or is not, in no
 * order, and a write may be torn between sectors; a name that its directory was not flushed after may be missing or still be the old one.
 */
final class PowerFailure {

    private static final int SECTOR_BYTES = 512;

    private final SplittableRandom random;
    private final Habit habit;
    private final Map<String, Content> names = new HashMap<>();
    private final List<Told> unflushedNames = new ArrayList<>();
    private final Map<String, Content> durableNames = new HashMap<>();
    private int lost;

    /** How a disk loses what it was not told to keep. */
    enum Habit {
        LOSES_ALL,
        LOSES_SOME,
        TEARS
    }

    /** One file's bytes: those that are safe, and what came after them. */
    private static final class Content {
        private final GrowingBytes safe = new GrowingBytes();
        private final List<Told> unflushed = new ArrayList<>();
    }

    private PowerFailure(SplittableRandom random, Habit habit) {
        this.random = random;
        this.habit = habit;
    }

    /**
     * Writes the directory as it may be after a failure at the end of this log.
     *
     * @return how many pieces were lost
     */
    static int strike(List<Told> log, long seed, Path directory) throws IOException {
        var random = new SplittableRandom(seed);
        var failure = new PowerFailure(random, Habit.values()[random.nextInt(Habit.values().length)]);
        log.forEach(failure::take);
        failure.loseNames();
        failure.write(directory);
        return failure.lost;
    }

    private void take(Told told) {
        switch (told) {
            case Created created -> {
                names.put(created.name(), new Content());
                unflushedNames.add(created);
            }
            case Removed removed -> {
                names.remove(removed.name());
                unflushedNames.add(removed);
            }
            case Renamed renamed -> {
                names.put(renamed.newName(), content(renamed.name()));
                names.remove(renamed.name());
                unflushedNames.add(renamed);
            }
            case Linked linked -> {
                names.put(linked.newName(), content(linked.name()));
                unflushedNames.add(linked);
            }
            case Written written -> content(written.name()).unflushed.add(written);
            case Truncated truncated -> content(truncated.name()).unflushed.add(truncated);
            case Flushed flushed -> flush(content(flushed.name()), flushed.began());
            case NamesFlushed flushed -> flushNames(flushed.name(), flushed.began());
        }
    }

    // A file that the process found when it began is as safe as its name.
    private Content content(String name) {
        return names.computeIfAbsent(name, n -> {
            var content = new Content();
            durableNames.put(n, content);
            return content;
        });
    }

    private static void flush(Content content, long began) {
        content.unflushed.removeIf(told -> {
            boolean isCovered = told.at() < began;
            if (isCovered) {
                apply(content.safe, told);
            }
            return isCovered;
        });
    }

    private void flushNames(String directory, long began) {
        boolean all = unflushedNames.stream()
                .filter(told -> directoryOf(told.name()).equals(directory))
                .allMatch(told -> told.at() < began);
        if (all) {
            durableNames.keySet().removeIf(name -> directoryOf(name).equals(directory));
            names.forEach((name, content) -> {
                if (directoryOf(name).equals(directory)) {
                    durableNames.put(name, content);
                }
            });
            unflushedNames.removeIf(told -> directoryOf(told.name()).equals(directory));
        }
    }

    private static String directoryOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    // Names change together or not at all, as in a file system with a journal: what came first is there first.
    private void loseNames() {
        if (unflushedNames.isEmpty() || (habit != Habit.LOSES_ALL && random.nextBoolean())) {
            return;
        }
        lost += unflushedNames.size();
        names.clear();
        names.putAll(durableNames);
    }

    private void write(Path directory) throws IOException {
        for (var entry : names.entrySet()) {
            if (!entry.getKey().isEmpty()) {
                var file = directory.resolve(entry.getKey());
                Files.createDirectories(file.getParent());
                Files.write(file, survivors(entry.getValue()));
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
        }
    }

    private byte[] survivors(Content content) {
        for (var told : content.unflushed) {
            if (habit == Habit.TEARS && told instanceof Written written) {
                tear(content.safe, written);
            } else if (habit == Habit.LOSES_SOME && random.nextBoolean()) {
                apply(content.safe, told);
            } else {
                lost++;
            }
        }
        return content.safe.toArray();
    }

    private void tear(GrowingBytes bytes, Written written) {
        for (int from = 0; from < written.data().length; from += SECTOR_BYTES) {
            if (random.nextBoolean()) {
                int to = Math.min(written.data().length, from + SECTOR_BYTES);
                bytes.put(written.offset() + from, Arrays.copyOfRange(written.data(), from, to));
            } else {
                lost++;
            }
        }
    }

    private static void apply(GrowingBytes bytes, Told told) {
        switch (told) {
            case Written written -> bytes.put(written.offset(), written.data());
            case Truncated truncated -> bytes.truncate(truncated.length());
            case Created _, Removed _, Renamed _, Linked _, Flushed _, NamesFlushed _ ->
                throw new IllegalStateException("changes no bytes: " + told);
        }
    }
}
