package dev.nonbis.server.topics;

import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.Topics;
import dev.nonbis.server.policy.cel.Complaint;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The topics in force, read again when the file changes. What is bad is refused as a whole, and the last good one stays. */
public final class TopicsFile implements Topics {

    private static final Logger LOG = System.getLogger(TopicsFile.class.getName());

    private final Path file;
    private volatile TopicsReader.Rules inForce;
    private volatile boolean refused;
    private String lastSeen;

    private TopicsFile(Path file, TopicsReader.Rules rules, String seen) {
        this.file = file;
        this.inForce = rules;
        this.lastSeen = seen;
    }

    /** An open file, or why it cannot be used. */
    public sealed interface Opening {

        record Opened(TopicsFile file) implements Opening {}

        record Refused(List<Complaint> complaints) implements Opening {}
    }

    public static Opening open(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            return new Opening.Refused(List.of(unreadable(file)));
        }
        return switch (TopicsReader.read(file, text)) {
            case TopicsReader.Result.Accepted(var rules) -> new Opening.Opened(new TopicsFile(file, rules, text));
            case TopicsReader.Result.Refused(var complaints) -> new Opening.Refused(complaints);
        };
    }

    @Override
    public TopicRules of(String topic) {
        var rules = inForce;
        return rules.byTopic().getOrDefault(topic, rules.defaults());
    }

    /** Whether what is written now could not be taken. */
    public boolean isRefused() {
        return refused;
    }

    /** Takes what is written now if it has changed since the last look and is good. Called by one loop. */
    public void reloadIfChanged() {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            if (!refused) {
                refuse(List.of(unreadable(file)));
            }
            return;
        }
        if (text.equals(lastSeen) && !refused) {
            return;
        }
        boolean sameAsRefused = text.equals(lastSeen);
        lastSeen = text;
        switch (TopicsReader.read(file, text)) {
            case TopicsReader.Result.Accepted(var rules) -> {
                inForce = rules;
                refused = false;
                LOG.log(Level.INFO, "the rules of topics are read again");
            }
            case TopicsReader.Result.Refused(var complaints) -> {
                if (!sameAsRefused) {
                    refuse(complaints);
                }
            }
        }
    }

    private void refuse(List<Complaint> complaints) {
        refused = true;
        LOG.log(
                Level.WARNING,
                "the changed topics are refused and those before stay in force:\n{0}",
                complaints.stream().map(Complaint::toString).collect(Collectors.joining("\n")));
    }

    private static Complaint unreadable(Path file) {
        return new Complaint(file, 1, 1, "", "the file cannot be read");
    }
}
