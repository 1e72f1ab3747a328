import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { faults, useFields } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { OtpField } from '#web/ui/otp-field.tsx'

/** What authenticator apps show (RFC 6238 as they all speak it). */
const DIGITS = 6

type CodeFormProps = {
  /** What the button that sends the code says. */
  action: string
  busy: boolean
  /** The code was good. */
  done?: boolean
  /** What was wrong with the last one, until another is typed. */
  error: string | null
  onEdit: () => void
  /** Answers whether the code was good. */
  onCode: (code: string) => Promise<boolean>
}

/** What is typed, and the way to send it. Each kind of code has a field of its own, which begins empty. */
function useCode({ busy, done = false, onEdit, onCode }: CodeFormProps) {
  const { t } = useLingui()
  const [kind, setKind] = useState<'code' | 'recovery'>('code')
  const form = useFields({
    initial: { code: '', recovery: '' },
    startAt: kind,
    check: ({ code, recovery }) =>
      kind === 'code'
        ? faults(code.length < DIGITS && { field: 'code', code: 'fields_missing', text: t`Enter all six digits` })
        : faults(
            recovery.trim() === '' && { field: 'recovery', code: 'fields_missing', text: t`Enter a recovery code` },
          ),
  })
  const submit = form.onSubmit(async (values) => {
    if (busy || done) return
    form.focus(kind)
    const accepted = await onCode(values[kind])
    // The next one the app shows is another one altogether.
    if (!accepted && kind === 'code') form.set('code', '')
  })
  return {
    kind,
    submit,
    field: form.field(kind),
    edit: (text: string) => {
      form.set(kind, text)
      onEdit()
    },
    toggle: () => {
      form.reset({ code: '', recovery: '' })
      setKind(kind === 'code' ? 'recovery' : 'code')
      onEdit()
    },
  }
}

/** Asks for what the authenticator app shows or, where the app is lost, for a recovery code. */
export function CodeForm(props: CodeFormProps) {
  const { t } = useLingui()
  const { action, busy, done = false } = props
  const { kind, submit, field, edit, toggle } = useCode(props)
  const error = field.error ?? props.error ?? undefined
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {kind === 'recovery' ? (
        <Field
          {...field}
          key="recovery"
          label={t`Recovery Code`}
          error={error}
          placeholder="ABCDE-FGHJK"
          hint={t`Each of your ten recovery codes works once.`}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => edit(event.currentTarget.value)}
        />
      ) : (
        <OtpField
          {...field}
          key="code"
          label={t`Six-Digit Code`}
          error={error}
          length={DIGITS}
          onChange={edit}
          onFull={() => submit()}
        />
      )}
      <Button type="submit" busy={busy} done={done}>
        {action}
      </Button>
      <Button variant="quiet" size="small" className="self-center" onClick={toggle}>
        {kind === 'recovery' ? t`Use Your Authenticator App` : t`Use a Recovery Code`}
      </Button>
    </form>
  )
}
