package dev.nonbis.server.topics;

import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.TopicRules.LostWorker;
import dev.nonbis.core.job.Topic;
import dev.nonbis.server.policy.cel.Complaint;
import dev.nonbis.server.policy.cel.YamlEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the rules of topics, or lists everything that is wrong with them. */
final class TopicsReader {

    private static final List<String> RULES =
            List.of("dispatch_timeout", "running_timeout", "max_attempts", "lost_worker");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,5}");

    private TopicsReader() {}

    /** The rules by topic, and those of every other topic. */
    record Rules(TopicRules defaults, Map<String, TopicRules> byTopic) {}

    /** Rules, or why there are none. */
    sealed interface Result {

        record Accepted(Rules rules) implements Result {}

        record Refused(List<Complaint> complaints) implements Result {}
    }

    static Result read(Path file, String text) {
        var complaints = new ArrayList<Complaint>();
        var rules = YamlEntry.document(file, text, complaints).map(TopicsReader::rules);
        return rules.isPresent() && complaints.isEmpty()
                ? new Result.Accepted(rules.get())
                : new Result.Refused(List.copyOf(complaints));
    }

    private static Rules rules(YamlEntry root) {
        var sections = root.group(List.of("defaults", "topics"));
        var defaults = topic(sections.get("defaults"), TopicRules.DEFAULTS);
        var byTopic = new HashMap<String, TopicRules>();
        var topics = sections.get("topics");
        if (topics != null) {
            topics.named().forEach((name, entry) -> {
                Topic.complaint(name).ifPresent(why -> entry.complain("the topic's name " + why));
                byTopic.put(name, topic(entry, defaults));
            });
        }
        return new Rules(defaults, Map.copyOf(byTopic));
    }

    private static TopicRules topic(@Nullable YamlEntry entry, TopicRules otherwise) {
        if (entry == null) {
            return otherwise;
        }
        var members = entry.group(RULES);
        return new TopicRules(
                value(members.get("dispatch_timeout"), TopicsReader::duration, "a duration such as 30s or 5m")
                        .orElse(otherwise.dispatchTimeout()),
                value(members.get("running_timeout"), TopicsReader::duration, "a duration such as 30s or 5m")
                        .orElse(otherwise.runningTimeout()),
                value(members.get("max_attempts"), TopicsReader::count, "a whole number from 1 to 999999")
                        .orElse(otherwise.maxAttempts()),
                value(members.get("lost_worker"), TopicsReader::lostWorker, "retry or hold")
                        .orElse(otherwise.lostWorker()));
    }

    private static <T> Optional<T> value(
            @Nullable YamlEntry entry, Function<String, Optional<T>> reader, String expected) {
        if (entry == null) {
            return Optional.empty();
        }
        var text = entry.text();
        var value = text.flatMap(reader);
        if (text.isPresent() && value.isEmpty()) {
            entry.complain("must be " + expected);
        }
        return value;
    }

    private static Optional<Duration> duration(String text) {
        var match = DURATION.matcher(text);
        if (!match.matches() || Long.parseLong(match.group(1)) == 0) {
            return Optional.empty();
        }
        long amount = Long.parseLong(match.group(1));
        return Optional.of(
                switch (match.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    case "h" -> Duration.ofHours(amount);
                    default -> Duration.ofDays(amount);
                });
    }

    private static Optional<Integer> count(String text) {
        return COUNT.matcher(text).matches() ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }

    private static Optional<LostWorker> lostWorker(String text) {
        return switch (text) {
            case "retry" -> Optional.of(LostWorker.RETRY);
            case "hold" -> Optional.of(LostWorker.HOLD);
            default -> Optional.empty();
        };
    }
}
