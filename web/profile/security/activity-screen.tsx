import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import type { SecurityEvent } from '#contract/identity.ts'
import { deviceText, networkZoneText, securityEventText } from '#web/i18n/security-words.ts'
import { useNow } from '#web/lib/now.ts'
import { localDay, localLongDay, localTime } from '#web/lib/local-time.ts'
import { paths } from '#web/lib/paths.ts'
import { EVENT_ICONS } from '#web/profile/security/event-icons.ts'
import { DeviceRow } from '#web/profile/security/device-row.tsx'
import { devicesQuery, securityEventsQuery } from '#web/profile/queries.ts'
import { Poster } from '#web/ui/art/poster.tsx'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Row } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

/** Lists security events, so that a customer can find those by other people. */
export function ActivityScreen() {
  const { t } = useLingui()
  return (
    <Screen title={t`Security Activity`} back={paths.securityPrivacy} className="!gap-1">
      <Activity />
    </Screen>
  )
}

function Activity() {
  const { t } = useLingui()
  const list = useInfiniteQuery(securityEventsQuery)
  if (list.isError && !list.data) {
    return <LoadFailure {...list} />
  }
  if (!list.data) {
    return (
      <Card>
        <Loading label={t`Loading security activity`} />
        <RowSkeletons count={5} />
      </Card>
    )
  }
  const events = list.data.pages.flatMap((page) => page.events)
  if (events.length === 0) {
    return (
      <>
        <EmptyState icon={ShieldCheck} picture={<Poster of="secure" />} title={t`Nothing here yet`}>
          <Trans>Sign-ins and changes to your account will appear here.</Trans>
        </EmptyState>
        <ThisDevice />
      </>
    )
  }
  return (
    <>
      <p className="px-1 text-[0.9375rem] text-ink-soft">
        <Trans>Sign-ins and changes to your account, newest first.</Trans>
      </p>
      <Days events={events} />
      <ShowMore list={list} />
    </>
  )
}

/** Shows the current device. A customer without any security events sees only this. */
function ThisDevice() {
  const { t } = useLingui()
  const device = useQuery(devicesQuery).data?.devices.find(({ current }) => current)
  return (
    device && (
      <Section title={t({ message: 'This Device', context: 'heading' })}>
        <Card>
          <DeviceRow device={device} />
        </Card>
      </Section>
    )
  )
}

/** Groups events by day and keeps their order. */
function groupDays(events: readonly SecurityEvent[]): { day: string; events: SecurityEvent[] }[] {
  const groups: { day: string; events: SecurityEvent[] }[] = []
  for (const event of events) {
    const day = localDay(event.at)
    const last = groups.at(-1)
    if (last?.day === day) last.events.push(event)
    else groups.push({ day, events: [event] })
  }
  return groups
}

function Days({ events }: { events: readonly SecurityEvent[] }) {
  const nowMs = useNow()
  return groupDays(events).map((group) => {
    const title = group.events[0] ? localLongDay(group.events[0].at, nowMs) : ''
    return (
      <section key={group.day} aria-label={title}>
        <h2 className="px-1 pt-2 pb-1.5 text-sm font-semibold text-ink-soft">{title}</h2>
        <Card>
          <Rows of={group.events}>
            {(event) => (
              <Row
                {...EVENT_ICONS[event.kind]}
                title={securityEventText(event.kind)}
                description={
                  <InlineFacts
                    facts={[
                      { key: 'time', fact: localTime(event.at) },
                      { key: 'device', fact: deviceText(event.device) },
                      { key: 'zone', fact: networkZoneText(event.networkZone) },
                    ]}
                  />
                }
              />
            )}
          </Rows>
        </Card>
      </section>
    )
  })
}
