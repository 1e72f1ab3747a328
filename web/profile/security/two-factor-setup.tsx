import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Refusal } from '#contract/errors.ts'
import type { RecoveryCodes, TwoFactorSetup } from '#contract/identity.ts'
import { toast } from '#web/lib/toast.ts'
import { errorText } from '#web/i18n/words.ts'
import { messageOf } from '#web/lib/api.ts'
import { switchTwoFactorOn } from '#web/profile/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyIconButton } from '#web/ui/copy-button.tsx'
import { OtpField } from '#web/ui/otp-field.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const FORM = 'two-factor-setup'

/** What authenticator apps show. */
const DIGITS = 6

type SetupProps = {
  setup: TwoFactorSetup
  open: boolean
  onOpenChange: (open: boolean) => void
  onDone: (codes: RecoveryCodes) => void
  /** The bank has forgotten this setup; another one is needed. */
  onEnded: () => void
}

/** The code as it is typed, and what the bank says to it. */
function useCode({ setup, onDone, onEnded }: Pick<SetupProps, 'setup' | 'onDone' | 'onEnded'>) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  function refuse(message: string): void {
    setError(message)
    toast.error(message)
  }
  const { mutate, isPending } = useMutation({
    mutationFn: switchTwoFactorOn,
    onSuccess: (codes) => {
      toast.success(t`Two-factor authentication is on`)
      onDone(codes)
    },
    onError: (refusal) => {
      refuse(messageOf(refusal))
      if (refusal instanceof Refusal && refusal.code === 'step_ended') onEnded()
    },
    onSettled: () => queries.invalidateQueries(),
  })
  function type(digits: string): void {
    setCode(digits)
    setError(null)
  }
  function submit(digits: string): void {
    if (isPending) return
    if (digits === '') refuse(errorText('fields_missing'))
    else mutate({ oneTimeToken: setup.oneTimeToken, code: digits })
  }
  return { code, type, submit, busy: isPending, error }
}

/** Brings the secret into an authenticator app, and a code back to show that it arrived. */
export function TwoFactorSetupSheet({ open, onOpenChange, ...props }: SetupProps) {
  const { t } = useLingui()
  const { setup } = props
  const { code, type, submit, busy, error } = useCode(props)
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Two-factor authentication`}
      description={t`Scan the code with an authenticator app, then enter the six digits it shows.`}
      footer={
        <Button type="submit" form={FORM} busy={busy} className="w-full">
          <Trans>Turn On</Trans>
        </Button>
      }
    >
      <ol className="space-y-5">
        <Part number={1} title={t({ message: 'Scan this with your authenticator app', comment: 'A QR code' })}>
          <QrCode
            text={setup.uri}
            label={t`QR code for your authenticator app`}
            className="mx-auto mt-3 size-50 rounded-card border border-line"
          />
          <Secret secret={setup.secret} />
        </Part>
        <Part number={2} title={t({ message: 'Enter the six digits it shows', comment: 'The authenticator app' })}>
          <form
            id={FORM}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              submit(code)
            }}
            className="mt-3"
          >
            <OtpField
              label={t({ message: 'Code', comment: 'Six digits that are typed' })}
              length={DIGITS}
              value={code}
              onChange={type}
              onFull={submit}
              error={error ?? undefined}
            />
          </form>
        </Part>
      </ol>
    </Sheet>
  )
}

function Part({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li>
      <h3 className="flex items-center gap-2.5 font-medium">
        <span
          aria-hidden
          className="tabular grid size-7 shrink-0 place-items-center rounded-full bg-primary-subtle text-sm font-semibold text-primary"
        >
          {number}
        </span>
        {title}
      </h3>
      {children}
    </li>
  )
}

/** The same for who has no second device to scan with. */
function Secret({ secret }: { secret: string }) {
  const { t } = useLingui()
  return (
    <div className="mt-3 flex items-center gap-2 rounded-control bg-muted py-1.5 ps-4 pe-1.5">
      <div className="min-w-0 flex-1">
        <p className="text-sm text-ink-soft">
          <Trans comment="Instead of scanning a QR code">Or enter this key in the app</Trans>
        </p>
        <p className="font-mono text-[0.9375rem] leading-snug break-words">{secret.match(/.{1,4}/g)?.join(' ')}</p>
      </div>
      <CopyIconButton text={secret} label={t`Copy Key`} message={t`Key copied`} />
    </div>
  )
}
