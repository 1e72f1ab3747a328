import { keepDaysOf } from '#server/platform/time-zone.ts'

/** The template of test databases (server/test/cluster.ts) has the days of UTC, so that a test's instants are easy to read. */
keepDaysOf('UTC')
