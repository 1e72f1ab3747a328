import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Repeat } from 'lucide-react'
import { useState } from 'react'
import type { Schedule } from '#contract/schedules.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { schedulesQuery } from '#web/schedules/queries.ts'
import { repeatText } from '#web/schedules/shared/when.ts'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { useSheet } from '#web/ui/sheet.tsx'

const loadSheet = () => import('#web/schedules/shared/schedule-sheet.tsx')

/**
 * Lists the customer's scheduled payments. A row opens the payment's actions. `opened` is the id of the initially open payment.
 */
export function ScheduledList({ opened }: { opened: string | null }) {
  const { t } = useLingui()
  const { data, error, isFetching, refetch } = useQuery(schedulesQuery)
  const [chosenId, setChosen] = useState(opened)
  const schedules = data?.schedules ?? []
  if (!data && error) {
    return (
      <Section title={t`Scheduled`}>
        <Card>
          <LoadFailure error={error} refetch={refetch} isFetching={isFetching} />
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
      <OpenSchedule schedule={schedules.find(({ id }) => id === chosenId)} onClose={() => setChosen(null)} />
    </Section>
  )
}

function ScheduleRow({ schedule, onOpen }: { schedule: Schedule; onOpen: () => void }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const { every, name, amountMinor, asset, retrying } = schedule
  const date = shortDay(schedule.dueOn, today)
  const next = retrying
    ? t({ message: `Trying again: ${date}`, comment: 'A payment was refused. {date} is the date of the next try' })
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
          <InlineFacts
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

/** Shows the sheet of the open schedule. The sheet keeps its content while it closes. */
function OpenSchedule({ schedule, onClose }: { schedule: Schedule | undefined; onClose: () => void }) {
  const [displayedSchedule, setShown] = useState(schedule)
  if (schedule && schedule !== displayedSchedule) setShown(schedule)
  const sheet = useSheet(loadSheet, schedule !== undefined, onClose)
  return (
    sheet &&
    displayedSchedule && (
      <sheet.ScheduleSheet
        key={displayedSchedule.id}
        open={!!schedule}
        schedule={displayedSchedule}
        onClose={onClose}
      />
    )
  )
}
