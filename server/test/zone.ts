import { setBankZone } from '#server/platform/time-zone.ts'

/** The template of test databases (server/test/cluster.ts) has the days of UTC, so that times in tests are easy to read. */
setBankZone('UTC')
