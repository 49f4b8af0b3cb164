package dev.nonbis.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class Sha256Test {

    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void the_digest_is_that_of_the_standard() {
        assertThat(Sha256.hex("abc".getBytes(UTF_8))).isEqualTo(ABC);
        assertThat(Sha256.hex(new byte[0]))
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    @Test
    void many_threads_do_not_disturb_each_other() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> digests = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                digests.add(threads.submit(() -> Sha256.hex("abc".getBytes(UTF_8))));
            }
            for (Future<String> digest : digests) {
                assertThat(digest.get()).isEqualTo(ABC);
            }
        }
    }
}
