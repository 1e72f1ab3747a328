import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Repeat } from 'lucide-react'
import { useState } from 'react'
import type { Schedule } from '#contract/schedules.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { schedulesQuery } from '#web/schedules/queries.ts'
import { repeatText } from '#web/schedules/shared/when.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { useSheet } from '#web/ui/sheet.tsx'

const loadSheet = () => import('#web/schedules/shared/schedule-sheet.tsx')

/** What the customer has scheduled; a row opens what can be done about it. `opened` is the one that is open at first. */
export function ScheduledList({ opened }: { opened: string | null }) {
  const { t } = useLingui()
  const { data, error, isFetching, refetch } = useQuery(schedulesQuery)
  const [chosen, setChosen] = useState(opened)
  const schedules = data?.schedules ?? []
  if (!data && error) {
    return (
      <Section title={t`Scheduled`}>
        <Card>
          <Failure error={error} refetch={refetch} isFetching={isFetching} />
        </Card>
      </Section>
    )
  }
  if (schedules.length === 0) return null
  return (
    <Section title={t`Scheduled`}>
      <Card>
        <Rows of={schedules}>
          {(schedule) => <ScheduleRow schedule={schedule} onOpen={() => setChosen(schedule.id)} />}
        </Rows>
      </Card>
      <OpenSchedule schedule={schedules.find(({ id }) => id === chosen)} onClose={() => setChosen(null)} />
    </Section>
  )
}

function ScheduleRow({ schedule, onOpen }: { schedule: Schedule; onOpen: () => void }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const { every, name, amountMinor, asset, retrying } = schedule
  const date = shortDay(schedule.dueOn, today)
  const next = retrying
    ? t({ message: `Trying again: ${date}`, comment: 'A payment was refused, and is tried again on a date' })
    : t({ message: `Next: ${date}`, comment: 'The date of the next payment' })
  return (
    <ButtonRow
      icon={every === 'once' ? CalendarClock : Repeat}
      {...(retrying && { tint: 'orange' })}
      title={<NamedAmount name={name} amount={<Money amountMinor={amountMinor} asset={asset} fit />} />}
      description={
        every === 'once' ? (
          date
        ) : (
          <Facts
            facts={[
              { key: 'repeat', fact: repeatText(every) },
              { key: 'next', fact: next },
            ]}
          />
        )
      }
      opens
      onClick={onOpen}
    />
  )
}

/** The sheet of the schedule that is open. It keeps showing it while it goes away. */
function OpenSchedule({ schedule, onClose }: { schedule: Schedule | undefined; onClose: () => void }) {
  const [shown, setShown] = useState(schedule)
  if (schedule && schedule !== shown) setShown(schedule)
  const sheet = useSheet(loadSheet, schedule !== undefined, onClose)
  return sheet && shown && <sheet.ScheduleSheet key={shown.id} open={!!schedule} schedule={shown} onClose={onClose} />
}
