package dev.nonbis.server.topics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.TopicRules.LostWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicsFileTest {

    @TempDir
    Path directory;

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("topics.yaml"), text);
    }

    private TopicsFile open(String text) throws IOException {
        return switch (TopicsFile.open(write(text))) {
            case TopicsFile.Opening.Opened(var file) -> file;
            case TopicsFile.Opening.Refused(var complaints) -> throw new AssertionError(complaints.toString());
        };
    }

    private String refused(String text) throws IOException {
        return switch (TopicsFile.open(write(text))) {
            case TopicsFile.Opening.Opened opened -> "taken";
            case TopicsFile.Opening.Refused(var complaints) ->
                complaints.getFirst().toString().replace(directory + "/", "");
        };
    }

    @Test
    void a_topic_has_its_own_rules_over_the_file_s_over_the_product_s() throws IOException {
        var topics = open("""
                defaults: {max_attempts: 7}
                topics:
                  job.refund: {dispatch_timeout: 10s, running_timeout: 2m, lost_worker: hold}
                """);

        assertThat(topics.of("job.refund"))
                .isEqualTo(new TopicRules(Duration.ofSeconds(10), Duration.ofMinutes(2), 7, LostWorker.HOLD));
        assertThat(topics.of("job.other"))
                .isEqualTo(new TopicRules(Duration.ofMinutes(5), Duration.ofMinutes(15), 7, LostWorker.RETRY));
    }

    @Test
    void what_cannot_be_used_is_refused_with_its_place() throws IOException {
        assertThat(refused("topics: {job.a: {lost_worker: shrug}}"))
                .isEqualTo("topics.yaml:1:31: topics.job.a.lost_worker: must be retry or hold");
        assertThat(refused("topics:\n  nope: {}")).startsWith("topics.yaml:2:").contains("the topic's name");
        assertThat(refused("topics: {job.a: {max_attempts: 0}}")).contains("must be a whole number");
        assertThat(refused("topics: {job.a: {dispatch_timeout: 5}}")).contains("must be a duration");
        assertThat(refused("limits: 3")).contains("unknown entry");
        assertThat(refused("topics: [")).contains("not YAML");
    }

    @Test
    void a_changed_file_is_taken_and_a_bad_one_leaves_the_last_good_one_in_force() throws IOException {
        var topics = open("defaults: {max_attempts: 1}");
        write("defaults: {max_attempts: 2}");
        topics.reloadIfChanged();
        assertThat(topics.of("job.a").maxAttempts()).isEqualTo(2);

        write("defaults: {max_attempts: many}");
        topics.reloadIfChanged();
        assertThat(topics.of("job.a").maxAttempts()).isEqualTo(2);
        assertThat(topics.isRefused()).isTrue();

        write("defaults: {max_attempts: 2}");
        topics.reloadIfChanged();
        assertThat(topics.isRefused()).isFalse();
        Files.delete(directory.resolve("topics.yaml"));
        topics.reloadIfChanged();
        assertThat(topics.isRefused()).isTrue();
        assertThat(topics.of("job.a").maxAttempts()).isEqualTo(2);
    }
}
