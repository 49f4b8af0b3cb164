package dev.nonbis.testkit.service;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A suite or a test that runs twice: on the services that the system has, and on their {@link Services#NEWEST newest releases}. */
@Tag("every-release")
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface EveryRelease {}
