import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Schedule } from '#contract/schedules.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { cancelSchedule, skipSchedule } from '#web/schedules/queries.ts'
import { ScheduleFacts, ScheduleHead } from '#web/schedules/shared/schedule-details.tsx'
import { ScheduleForm, useScheduleForm, valuesOf } from '#web/schedules/shared/schedule-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type View = 'details' | 'edit' | 'skip' | 'cancel'

/** The content and buttons of one view of the sheet. */
type ShownSchedule = { title: string; body: ReactNode; footer?: ReactNode; busy?: boolean; unsaved?: boolean }

type ScheduleSheetProps = { schedule: Schedule; open: boolean; onClose: () => void }

/** Shows a scheduled payment and its actions. Each step replaces the previous one. */
export function ScheduleSheet({ schedule, open, onClose }: ScheduleSheetProps) {
  const { t } = useLingui()
  const [view, setView] = useState<View>('details')
  const back = () => setView('details')
  const close = () => {
    onClose()
    back()
  }
  const edit = useEdit(schedule, back)
  const views: Record<View, ShownSchedule> = {
    details: {
      title: t`Scheduled payment`,
      // The buttons are in the body, because in a footer with large text they would leave no space for the facts.
      body: (
        <>
          <ScheduleFacts schedule={schedule} />
          <Actions
            schedule={schedule}
            onChoose={(chosenView) => {
              if (chosenView === 'edit') edit.begin()
              setView(chosenView)
            }}
          />
        </>
      ),
    },
    edit,
    skip: useSkip(schedule, { back, close }),
    cancel: useCancel(schedule, { back, close }),
  }
  const { title, body, footer, busy, unsaved = false } = views[view]
  return (
    <Sheet
      open={open}
      onOpenChange={() => {
        if (!busy) close()
      }}
      unsaved={unsaved}
      title={title}
      description={t`The recipient, amount and dates`}
      footer={footer}
    >
      <div className="flex flex-col gap-4">
        {view !== 'edit' && <ScheduleHead schedule={schedule} />}
        {body}
      </div>
    </Sheet>
  )
}

function Actions({ schedule, onChoose }: { schedule: Schedule; onChoose: (view: View) => void }) {
  return (
    <div className="flex flex-wrap gap-2.5">
      <Button className="flex-auto !px-3" onClick={() => onChoose('edit')}>
        <Trans comment="A scheduled payment">Edit</Trans>
      </Button>
      {schedule.every !== 'once' && (
        <Button variant="secondary" className="flex-auto !px-3" onClick={() => onChoose('skip')}>
          <Trans comment="Skips the next of several recurring payments">Skip Next</Trans>
        </Button>
      )}
      <Button variant="secondary" className="flex-auto !px-3 !text-danger" onClick={() => onChoose('cancel')}>
        <Trans context="end a scheduled payment">Cancel</Trans>
      </Button>
    </div>
  )
}

type ChoiceProps = { no: string; yes: string; busy: boolean; onNo: () => void } & Omit<
  ComponentProps<typeof Button>,
  'children'
>

/** Shows the button to go back and the button to proceed. */
function Choice({ no, yes, onNo, busy, ...button }: ChoiceProps) {
  return (
    <div className="flex flex-wrap gap-2.5">
      <Button variant="secondary" className="flex-1 !px-3" disabled={busy} onClick={onNo}>
        {no}
      </Button>
      <Button {...button} busy={busy} className="flex-1 !px-3">
        {yes}
      </Button>
    </div>
  )
}

const FORM = 'schedule'

function useEdit(schedule: Schedule, back: () => void): ShownSchedule & { begin: () => void } {
  const { t } = useLingui()
  const form = useScheduleForm(schedule, back)
  return {
    title: t`Edit scheduled payment`,
    busy: form.busy,
    unsaved: form.isEdited && !form.busy,
    begin: () => form.reset(valuesOf(schedule)),
    body: <ScheduleForm id={FORM} form={form} schedule={schedule} />,
    footer: <Choice no={t`Go Back`} yes={t`Save Changes`} busy={form.busy} onNo={back} type="submit" form={FORM} />,
  }
}

type Ways = { back: () => void; close: () => void }

function useSkip({ id, version, dueOn }: Schedule, { back, close }: Ways): ShownSchedule {
  const { t } = useLingui()
  const date = wholeDay(dueOn)
  const message = t`We'll skip the payment on ${date}`
  const { submit, busy } = useSubmission({
    send: skipSchedule,
    loading: () => t`Skipping…`,
    success: () => ({ message }),
    outcome: () => ({ sent: message, notSent: t`The payment wasn't skipped` }),
  })
  const skip = () => void submit({ id, version }).then((response) => response && close())
  return {
    title: t`Skip the next payment?`,
    busy,
    body: (
      <p className="text-pretty text-ink-soft">
        <Trans>Nothing will be sent on {date}. Later payments stay as they are.</Trans>
      </p>
    ),
    footer: <Choice no={t`Keep It`} yes={t`Skip Payment`} busy={busy} onNo={back} onClick={skip} />,
  }
}

function useCancel({ id }: Schedule, { back, close }: Ways): ShownSchedule {
  const { t } = useLingui()
  const message = t`Scheduled payment canceled`
  const { submit, busy } = useSubmission({
    send: cancelSchedule,
    loading: () => t`Canceling…`,
    success: () => ({ message }),
    outcome: () => ({ sent: message, notSent: t`The payment wasn't canceled` }),
  })
  const cancel = () => void submit({ id }).then((response) => response && close())
  return {
    title: t`Cancel this scheduled payment?`,
    busy,
    body: (
      <p className="text-pretty text-ink-soft">
        <Trans>Nothing more will be sent. Payments that were already made stay as they are.</Trans>
      </p>
    ),
    footer: (
      <Choice
        no={t`Keep It`}
        yes={t({ message: 'Cancel Payment', context: 'end a scheduled payment' })}
        busy={busy}
        onNo={back}
        variant="danger"
        onClick={cancel}
      />
    ),
  }
}
