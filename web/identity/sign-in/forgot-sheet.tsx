import { Trans, useLingui } from '@lingui/react/macro'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { askForPasswordLink } from '#web/identity/queries.ts'
import { isEmail } from '#web/lib/address.ts'
import { formErrors, useForm } from '#web/lib/form.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type ForgotSheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The email address typed into the sign-in form. */
  email: string
  /** Whether the app has a page that shows the mail. */
  mailboxPage: boolean
}

/** Requests a mail with a link to set a new password. The message is the same whether or not the address is registered. */
export function ForgotSheet({ open, onOpenChange, email, mailboxPage }: ForgotSheetProps) {
  const { t } = useLingui()
  const [isSent, setSent] = useState(false)
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Forgot your password?`}
      description={t({
        message: "We'll email you a link to choose a new one.",
        comment: 'Shown below "Forgot your password?". "One" is a new password',
      })}
    >
      {isSent ? (
        <ResetSent mailboxPage={mailboxPage} onClose={() => onOpenChange(false)} />
      ) : (
        <Ask initial={email} onSent={() => setSent(true)} />
      )}
    </Sheet>
  )
}

function Ask({ initial, onSent }: { initial: string; onSent: () => void }) {
  const { t } = useLingui()
  const form = useForm({
    initial: { email: initial },
    startAt: 'email',
    check: ({ email }) =>
      formErrors(
        email.trim() === '' && { field: 'email', code: 'fields_missing', text: t`Enter your email` },
        email.trim() !== '' && !isEmail(email) && { field: 'email', code: 'email_invalid' },
      ),
    read: ({ email }) => email.trim(),
    send: (email) => askForPasswordLink(email),
    loading: () => t`Sending the link…`,
    // The sheet shows the success itself.
    success: () => null,
    refusedField: () => 'email',
    onDone: onSent,
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <p className="text-pretty text-ink-soft">
        <Trans comment={'"One" is a new password. The link works once'}>
          Enter your email, and we'll send you a link to choose a new one. It works once and expires after 30 minutes.
        </Trans>
      </p>
      <Field
        {...form.field('email')}
        label={t`Your Email`}
        type="email"
        inputMode="email"
        placeholder={t`you@example.com`}
        maxLength={254}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="send"
      />
      <Button type="submit" busy={form.busy}>
        <Trans>Send Link</Trans>
      </Button>
    </form>
  )
}

function ResetSent({ mailboxPage, onClose }: { mailboxPage: boolean; onClose: () => void }) {
  return (
    <div className="flex flex-col items-center gap-4 pb-1 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-primary-subtle text-primary">
        <MailCheck aria-hidden className="size-6" strokeWidth={1.9} />
      </span>
      <p role="status" className="max-w-[20rem] text-pretty">
        <Trans>If this address has an Alder account, a link is on its way.</Trans>
      </p>
      <div className="flex w-full flex-col gap-2">
        {mailboxPage && (
          <ButtonLink to={paths.sampleMail}>
            <Trans>Open Mailbox</Trans>
          </ButtonLink>
        )}
        <Button variant={mailboxPage ? 'secondary' : 'primary'} onClick={onClose}>
          <Trans comment="Closes the open sheet">Done</Trans>
        </Button>
      </div>
    </div>
  )
}
