import { Trans, useLingui } from '@lingui/react/macro'
import { ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { RecoveryCodes, TwoFactorSetup } from '#contract/identity.ts'
import { formErrors, useForm } from '#web/lib/form.ts'
import { switchTwoFactorOn } from '#web/profile/queries.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { CopyIconButton } from '#web/ui/copy-button.tsx'
import { cx } from '#web/ui/cx.ts'
import { OtpField } from '#web/ui/otp-field.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const FORM_ID = 'two-factor-setup'

/** The length of a code of an authenticator app. */
const DIGITS = 6

type SetupProps = {
  setup: TwoFactorSetup
  open: boolean
  onOpenChange: (open: boolean) => void
  onDone: (codes: RecoveryCodes) => void
  /** Runs when the setup has expired at the bank and a new one is necessary. */
  onEnded: () => void
}

/** Returns the typed code, its errors and its submission. */
function useCode({ setup, onDone, onEnded }: Pick<SetupProps, 'setup' | 'onDone' | 'onEnded'>) {
  const { t } = useLingui()
  return useForm({
    initial: { code: '' },
    check: ({ code }) =>
      formErrors(code.length < DIGITS && { field: 'code', code: 'fields_missing', text: t`Enter all six digits` }),
    read: ({ code }) => ({ oneTimeToken: setup.oneTimeToken, code }),
    send: (content) => switchTwoFactorOn(content),
    loading: () => t`Turning it on…`,
    success: () => ({ message: t`Two-factor authentication is on` }),
    refusedField: () => 'code',
    onRefused: ({ code }) => {
      if (code === 'step_ended') onEnded()
    },
    onDone,
  })
}

/** Shows the secret for an authenticator app, and asks for a code to confirm it. */
export function TwoFactorSetupSheet({ open, onOpenChange, ...props }: SetupProps) {
  const { t } = useLingui()
  const { setup } = props
  const form = useCode(props)
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Two-factor authentication`}
      description={t`Add Alder to an authenticator app, then enter the six digits it shows.`}
      footer={
        <Button type="submit" form={FORM_ID} busy={form.busy} className="w-full">
          <Trans>Turn On</Trans>
        </Button>
      }
    >
      <ol className="space-y-5">
        <Part number={1} title={t`Add Alder to your authenticator app`}>
          <AddToApp setup={setup} />
        </Part>
        <Part
          number={2}
          title={t({ message: 'Enter the six digits it shows', comment: '"It" is the authenticator app' })}
        >
          <form id={FORM_ID} noValidate onSubmit={form.onSubmit} className="mt-3">
            <OtpField
              {...form.field('code')}
              label={t({ message: 'Code', comment: 'A field for six digits' })}
              length={DIGITS}
              onFull={() => form.onSubmit()}
            />
          </form>
        </Part>
      </ol>
    </Sheet>
  )
}

/**
 * Matches phones and tablets. The authenticator app is usually on the same device, which cannot scan its own screen, so a link
 * opens the app.
 */
const ON_PHONE = '(pointer: coarse)'

function AddToApp({ setup }: { setup: TwoFactorSetup }) {
  const { t } = useLingui()
  const [onPhone] = useState(() => matchMedia(ON_PHONE).matches)
  return (
    <>
      {onPhone && (
        <a href={setup.uri} className={cx(buttonLook({}), 'mt-3 w-full')}>
          <ExternalLink aria-hidden className="size-5 shrink-0 rtl:-scale-x-100" strokeWidth={2} />
          <Trans>Open in Your Authenticator App</Trans>
        </a>
      )}
      <p className="mt-3 text-sm text-ink-soft">
        {onPhone ? (
          <Trans comment={'"This" is a QR code'}>Or scan this from another device</Trans>
        ) : (
          <Trans comment={'"This" is a QR code'}>Scan this with the app</Trans>
        )}
      </p>
      <QrCode
        text={setup.uri}
        label={t`QR code for your authenticator app`}
        className="mx-auto mt-2 w-full max-w-50 rounded-card border border-line"
      />
      <Secret secret={setup.secret} />
    </>
  )
}

function Part({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li>
      <h3 className="flex items-start gap-2.5 font-medium">
        <span
          aria-hidden
          className="tabular grid size-7 shrink-0 place-items-center rounded-full bg-primary-subtle text-[min(0.875rem,20px)] font-semibold text-primary"
        >
          {number}
        </span>
        {title}
      </h3>
      {children}
    </li>
  )
}

/** Shows the secret as text for customers without a second device to scan with. */
function Secret({ secret }: { secret: string }) {
  const { t } = useLingui()
  return (
    <div className="mt-3 flex items-center gap-2 rounded-control bg-muted py-1.5 ps-4 pe-1.5">
      <div className="min-w-0 flex-1">
        <p className="text-sm text-ink-soft">
          <Trans comment="An alternative to scanning a QR code">Or enter this key in the app</Trans>
        </p>
        <p className="tabular text-[0.9375rem] leading-snug tracking-wide break-words">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </p>
      </div>
      <CopyIconButton text={secret} label={t`Copy Key`} message={t`Key copied`} />
    </div>
  )
}
