package dev.nonbis.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RedisUrlTest {

    @Test
    void every_part_is_read() throws BadValue {
        assertThat(RedisUrl.read("rediss://nonbis:a%2Fb+c@redis1.example:6380/3"))
                .isEqualTo(new StoreUrl.Redis("redis1.example", 6380, 3, "nonbis", "a/b+c", true, ""));
    }

    @Test
    void what_is_left_out_is_as_redis_has_it() throws BadValue {
        var plain = new StoreUrl.Redis("h", 6379, 0, "", "", false, "");
        assertThat(RedisUrl.read("redis://h")).isEqualTo(plain);
        assertThat(RedisUrl.read("redis://h/")).isEqualTo(plain);
        assertThat(RedisUrl.read("redis://:secret@h"))
                .isEqualTo(new StoreUrl.Redis("h", 6379, 0, "", "secret", false, ""));
        assertThat(RedisUrl.read("redis://[::1]:1/0")).isEqualTo(new StoreUrl.Redis("::1", 1, 0, "", "", false, ""));
    }

    @Test
    void certificates_to_trust_are_a_file() throws BadValue {
        assertThat(RedisUrl.read("rediss://h/0?sslrootcert=/etc/ca%201.pem"))
                .isEqualTo(new StoreUrl.Redis("h", 6379, 0, "", "", true, "/etc/ca 1.pem"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://",
                "redis://h:0/0",
                "redis://h:65536",
                "redis://h/one",
                "redis://u:secret@h,i/0",
                "redis://u:secret@h/0?tls=1",
                "redis://secret@h/0",
                "redis://u:secret@h/0?sslrootcert=/etc/ca.pem",
                "rediss://u:secret@h/0?sslrootcert=",
                "redis:h"
            })
    void anything_else_is_refused_without_repeating_it(String url) {
        assertThatThrownBy(() -> RedisUrl.read(url))
                .isInstanceOf(BadValue.class)
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("secret"));
    }

    @Test
    void the_password_is_not_told() throws BadValue {
        assertThat(RedisUrl.read("redis://u:secret@h/0").toString()).isEqualTo("redis://h:6379/0");
    }
}
