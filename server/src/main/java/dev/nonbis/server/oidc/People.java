package dev.nonbis.server.oidc;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.Subject;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.http.Tokens;
import dev.nonbis.server.signing.Seal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Knows people by a sealed token that says what the issuer said. What that means in roles is worked out at each use, so that a changed
 * configuration counts at once and not only after the next sign-in.
 */
public final class People implements Tokens {

    private static final String PREFIX = "person:";
    private static final String PURPOSE = "person";

    /**
     * Which claim says what.
     *
     * @param tenant everybody's; or else {@code tenantClaim} names it
     * @param roles which values of {@code rolesClaim} stand for which roles; empty when they are roles themselves
     */
    public record Mapping(
            String subjectClaim,
            Optional<String> tenant,
            Optional<String> tenantClaim,
            String rolesClaim,
            Map<String, Set<String>> roles) {}

    private final Mapping mapping;
    private final Duration lifetime;
    private final Seal seal;
    private final InstantSource clock;

    public People(Mapping mapping, Duration lifetime, Seal seal, InstantSource clock) {
        this.mapping = mapping;
        this.lifetime = lifetime;
        this.seal = seal;
        this.clock = clock;
    }

    /** A token for whom these claims describe; empty when they give no name, no tenant or no role. */
    public Optional<String> token(JsonObject claims) {
        var subject = claims.string(mapping.subjectClaim()).filter(Subject::isValid);
        var tenant = mapping.tenantClaim()
                .flatMap(claims::string)
                .or(mapping::tenant)
                .flatMap(TenantId::parse);
        // Groups that mean nothing here stay out of the cookie.
        var values = values(claims)
                .filter(value -> roles(value).findAny().isPresent())
                .distinct()
                .toList();
        if (subject.isEmpty() || tenant.isEmpty() || values.isEmpty()) {
            return Optional.empty();
        }
        var person = JsonObject.builder()
                .put("subject", subject.get())
                .put("tenant", tenant.get().value())
                .put("values", JsonArray.ofStrings(values))
                .put("until", Timestamps.format(clock.instant().plus(lifetime)))
                .build();
        return Optional.of(PREFIX + seal.close(PURPOSE, new String(Json.write(person), StandardCharsets.UTF_8)));
    }

    @Override
    public Optional<Actor> holder(String token) {
        if (!token.startsWith(PREFIX)) {
            return Optional.empty();
        }
        return seal.open(PURPOSE, token.substring(PREFIX.length()))
                .map(text -> (JsonObject) Json.parse(text.getBytes(StandardCharsets.UTF_8)))
                .filter(person ->
                        Timestamps.parse(person.string("until").orElseThrow()).isAfter(clock.instant()))
                // A server with another grammar may have sealed it.
                .filter(person ->
                        person.string("subject").filter(Subject::isValid).isPresent())
                .map(person -> new Actor(
                        new TenantId(mapping.tenant()
                                .or(() -> person.string("tenant"))
                                .orElseThrow()),
                        person.string("subject").orElseThrow(),
                        strings(person.array("values")).flatMap(this::roles).collect(Collectors.toSet())))
                .filter(actor -> !actor.roles().isEmpty());
    }

    private Stream<String> values(JsonObject claims) {
        return Stream.concat(claims.string(mapping.rolesClaim()).stream(), strings(claims.array(mapping.rolesClaim())));
    }

    private Stream<Role> roles(String value) {
        var words = mapping.roles().isEmpty() ? Set.of(value) : mapping.roles().getOrDefault(value, Set.of());
        return words.stream().flatMap(word -> Role.of(word).stream());
    }

    private static Stream<String> strings(Optional<JsonArray> array) {
        return array.map(JsonArray::items).orElse(List.of()).stream()
                .filter(JsonString.class::isInstance)
                .map(item -> ((JsonString) item).value());
    }
}
