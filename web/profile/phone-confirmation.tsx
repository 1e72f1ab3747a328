import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BadgeCheck, CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Profile } from '#contract/profile.ts'
import { formErrors, useForm } from '#web/lib/form.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { useTimeout } from '#web/lib/timeout.ts'
import { confirmPhone, profileQuery, sendPhoneCode } from '#web/profile/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { OtpField } from '#web/ui/otp-field.tsx'
import { usePhoneLibrary } from '#web/ui/phone-library.ts'
import { Sheet } from '#web/ui/sheet.tsx'

const DIGITS = 6

/** The wait before another code can be requested, in milliseconds. A text message usually arrives within this time. */
const ANOTHER_AFTER_MS = 30_000

/** Shows whether the phone number is confirmed, and the way to confirm it. */
export function PhoneStatus({ profile }: { profile: Profile }) {
  const { t } = useLingui()
  const phones = usePhoneLibrary(profile.phone !== null)
  const phone = profile.phone && (phones?.groupPhone(profile.phone) ?? profile.phone)
  const [open, setOpen] = useState(false)
  const send = useSubmission({
    send: () => sendPhoneCode().then(() => true),
    loading: () => t`Sending a code…`,
    success: () => ({ message: t`We sent a code to ${phone}` }),
  })
  if (phone === null) return null
  if (profile.phoneConfirmed) {
    return (
      <p className="flex items-center gap-1.5 text-sm text-primary">
        <BadgeCheck aria-hidden className="size-4" strokeWidth={2} />
        <Trans context="phone number">Confirmed</Trans>
      </p>
    )
  }
  return (
    <div className="flex items-center gap-1.5 text-sm text-warning">
      <CircleAlert aria-hidden className="size-4 shrink-0" strokeWidth={2} />
      <span className="flex-1">
        <Trans>Not confirmed yet. Money sent to this number won't reach you.</Trans>
      </span>
      {profile.phoneConfirmable && (
        <Button
          variant="quiet"
          size="small"
          busy={send.busy}
          onClick={() => void send.submit(null).then((response) => setOpen((before) => before || response !== null))}
        >
          <Trans>Confirm</Trans>
        </Button>
      )}
      <CodeSheet phone={phone} open={open} onOpenChange={setOpen} onAnother={() => send.submit(null)} />
    </div>
  )
}

type CodeSheetProps = {
  phone: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Sends another code. */
  onAnother: () => Promise<unknown>
}

function CodeSheet({ phone, open, onOpenChange, onAnother }: CodeSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Confirm your phone number`}
      description={t`Enter the six digits we sent to ${phone}`}
    >
      <CodeForm phone={phone} onDone={() => onOpenChange(false)} onAnother={onAnother} />
    </Sheet>
  )
}

type CodeFormProps = { phone: string; onDone: () => void; onAnother: () => Promise<unknown> }

/** The form for the code, its errors and the button for another code. */
function CodeForm({ phone, onDone, onAnother }: CodeFormProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const form = useForm({
    initial: { code: '' },
    startAt: 'code',
    check: ({ code }) =>
      formErrors(code.length < DIGITS && { field: 'code', code: 'fields_missing', text: t`Enter all six digits` }),
    read: ({ code }) => code,
    send: (code) => confirmPhone(code).then(() => true),
    loading: () => t`Confirming your number…`,
    success: () => ({ message: t`Phone number confirmed` }),
    refusedField: () => 'code',
    onDone: () => void queries.invalidateQueries({ queryKey: profileQuery.queryKey }).then(onDone),
  })
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      <OtpField
        {...form.field('code')}
        label={t({ message: 'Code', comment: 'A field for six digits' })}
        hint={t`We sent a six-digit code to ${phone}. It's valid for 10 minutes.`}
        length={DIGITS}
        onFull={() => form.onSubmit()}
      />
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans>Confirm</Trans>
      </Button>
      <AnotherCodeButton onAnother={onAnother} />
      {me?.mode === 'sample' && (
        <Link
          to={paths.sampleMail}
          className="inline-flex min-h-11 items-center self-center font-semibold text-primary"
        >
          <Trans>Open Mailbox</Trans>
        </Link>
      )}
    </form>
  )
}

function AnotherCodeButton({ onAnother }: { onAnother: () => Promise<unknown> }) {
  const [isWaiting, setWaiting] = useState(false)
  const schedule = useTimeout()
  return (
    <Button
      variant="quiet"
      size="small"
      className="self-center"
      disabled={isWaiting}
      onClick={() => {
        setWaiting(true)
        schedule(() => setWaiting(false), ANOTHER_AFTER_MS)
        void onAnother()
      }}
    >
      <Trans>Send a New Code</Trans>
    </Button>
  )
}
