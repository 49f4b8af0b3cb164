package dev.nonbis;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.nonbis.client.NonbisClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The arrows between packages, and the calls that only some of them may make. */
class ArchitectureTest {

    private static final String CORE = "dev.nonbis.core.";
    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.nonbis");
    }

    /** A package of the core and what of ours it may use. */
    private record Arrow(String from, String... to) {}

    private static final List<Arrow> ARROWS = List.of(
            new Arrow("dev.nonbis.json"),
            new Arrow(CORE + "problem", "dev.nonbis.json"),
            new Arrow(CORE + "identity", "dev.nonbis.json"),
            new Arrow(CORE + "idempotency", "dev.nonbis.json", CORE + "identity", CORE + "problem"),
            new Arrow(CORE + "policy", "dev.nonbis.json", CORE + "identity"),
            new Arrow(CORE + "job", "dev.nonbis.json", CORE + "idempotency", CORE + "identity"),
            new Arrow(CORE + "approval", CORE + "identity", CORE + "problem"),
            new Arrow(CORE + "dispatch", "dev.nonbis.json", CORE + "identity", CORE + "job"),
            new Arrow(CORE + "reconcile", CORE + "dispatch", CORE + "job"),
            new Arrow(CORE + "bus", CORE + "dispatch", CORE + "identity", CORE + "store"),
            new Arrow(CORE + "run", "dev.nonbis.json", CORE + "identity", CORE + "job"),
            new Arrow(CORE + "signing", "dev.nonbis.json", CORE + "identity"),
            new Arrow(CORE + "audit", "dev.nonbis.json", CORE + "identity", CORE + "signing"),
            new Arrow(CORE + "webhook", CORE + "identity"),
            new Arrow(CORE + "tenant", CORE + "audit", CORE + "job"));

    @TestFactory
    Stream<DynamicTest> each_package_of_the_rules_uses_only_what_its_arrow_names() {
        return ARROWS.stream()
                .map(arrow -> DynamicTest.dynamicTest(arrow.from(), () -> {
                    var allowed = new ArrayList<>(List.of(arrow.to()));
                    allowed.add(arrow.from());
                    allowed.addAll(List.of("java..", "javax.crypto..", "org.jspecify..", "tools.jackson.core.."));
                    classes()
                            .that()
                            .resideInAPackage(arrow.from())
                            .should()
                            .onlyDependOnClassesThat(resideInAnyPackage(allowed.toArray(String[]::new))
                                    .or(primitive()))
                            .check(classes);
                }));
    }

    @Test
    void the_core_knows_nothing_of_http_sql_or_the_server() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.nonbis.core..", "dev.nonbis.json")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.nonbis.server..",
                        "dev.nonbis.client..",
                        "java.sql..",
                        "java.net.http..",
                        "org.eclipse.jetty..",
                        "org.sqlite..")
                .check(classes);
    }

    @Test
    void the_client_stands_alone() {
        classes()
                .that()
                .resideInAPackage("dev.nonbis.client..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "dev.nonbis.client..",
                                "java..",
                                "tools.jackson..",
                                "io.nats..",
                                "com.fasterxml.jackson.annotation..",
                                "org.jspecify..")
                        .or(primitive()))
                .check(classes);
    }

    @Test
    void only_sockets_know_jetty_and_only_the_sql_stores_know_jdbc() {
        noClasses()
                .that(not(resideInAnyPackage("dev.nonbis.server.http.jetty..", "dev.nonbis.server.webhook..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.eclipse.jetty..")
                .check(classes);
        noClasses()
                .that(not(resideInAnyPackage("dev.nonbis.server.store.sql..", "dev.nonbis.server.store.postgres..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "org.sqlite..", "org.flywaydb..", "org.postgresql..", "com.zaxxer..")
                .check(classes);
        noClasses()
                .that(not(resideInAPackage("dev.nonbis.server.store.redis..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("redis.clients..")
                .check(classes);
        noClasses()
                .that(not(resideInAnyPackage(
                                "dev.nonbis.server.bus.nats..",
                                "dev.nonbis.server.http.nats..",
                                "dev.nonbis.client.nats.."))
                        .and(not(resideInAPackage("dev.nonbis.server"))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.nats..")
                .check(classes);
        noClasses()
                .that(not(resideInAPackage("dev.nonbis.server.policy.cel..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.cel..")
                .check(classes);
        noClasses()
                .that(not(resideInAPackage("dev.nonbis.server.tracing..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .check(classes);
        noClasses()
                .that(not(resideInAPackage("dev.nonbis.server.signing..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bouncycastle..")
                .check(classes);
    }

    @Test
    void handlers_know_no_socket_and_no_back_end() {
        noClasses()
                .that()
                .resideInAPackage("dev.nonbis.server.api..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.nonbis.server.http.jetty..",
                        "dev.nonbis.server.store..",
                        "dev.nonbis.server.config..",
                        "dev.nonbis.server.cli..")
                .check(classes);
    }

    @Test
    void pages_are_a_client_of_the_api_and_only_they_know_templates() {
        noClasses()
                .that()
                .resideInAPackage("dev.nonbis.server.ui..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.nonbis.server.http.jetty..",
                        "dev.nonbis.server.store..",
                        "dev.nonbis.server.config..",
                        "dev.nonbis.server.cli..")
                .check(classes);
        noClasses()
                .that(not(resideInAPackage("dev.nonbis.server.ui..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("gg.jte..")
                .check(classes);
    }

    @Test
    void a_drill_sees_no_more_than_any_customer() {
        classes()
                .that()
                .resideInAPackage("dev.nonbis.server.drill..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "dev.nonbis.server.drill..",
                                "dev.nonbis.client..",
                                "java..",
                                "tools.jackson..",
                                "org.jspecify..")
                        .or(primitive()))
                .check(classes);
    }

    @Test
    void packages_form_no_cycle() {
        slices().matching("dev.nonbis.core.(*)..").should().beFreeOfCycles().check(classes);
        slices().matching("dev.nonbis.server.(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void the_world_is_read_in_few_places() {
        // Measuring, waiting for people and networks, and the composition root; everything else is given a clock and
        // ids.
        noClasses()
                .that(not(resideInAnyPackage(
                        "dev.nonbis.server.http..",
                        "dev.nonbis.client..",
                        "dev.nonbis.server.cli..",
                        "dev.nonbis.server.store.sql..",
                        "dev.nonbis.testkit..",
                        "dev.nonbis.bench..")))
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .callConstructor(Random.class)
                .check(classes);
    }

    @Test
    void the_core_starts_threads_only_for_its_writers() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.nonbis.core..", "dev.nonbis.json")
                .and(not(belongToAnyOf(
                        dev.nonbis.core.store.GroupCommit.class, dev.nonbis.core.store.SharedStore.class)))
                .and()
                .doNotHaveSimpleName("Finder")
                .should()
                .callMethod(Thread.class, "ofPlatform")
                .orShould()
                .callMethod(Thread.class, "ofVirtual")
                .orShould()
                .callMethod(Thread.class, "start")
                .check(classes);
    }

    @Test
    void names_say_what_a_class_is() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameStartingWith("Abstract")
                .check(classes);
    }

    @Test
    void the_client_is_among_the_classes_that_are_looked_at() {
        org.assertj.core.api.Assertions.assertThat(classes.contain(NonbisClient.class))
                .isTrue();
    }

    private static DescribedPredicate<JavaClass> primitive() {
        return DescribedPredicate.describe("primitive or array", type -> type.isPrimitive() || type.isArray());
    }
}
