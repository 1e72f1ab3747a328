import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'
import { errorText } from '#web/i18n/words.ts'
import { AuthLayout } from '#web/identity/layout/auth-layout.tsx'
import { signUp } from '#web/identity/queries.ts'
import { currentSessionQuery } from '#web/identity/session/session.ts'
import {
  dropDraft,
  validate,
  furthestStep,
  keepDraft,
  readDraft,
  refusedField,
  type SignUpField,
  type SignUpForm,
  STEP_OF,
  STEPS,
} from '#web/identity/sign-up/sign-up-form.ts'
import { NameStep, PasswordStep, ReviewStep } from '#web/identity/sign-up/sign-up-steps.tsx'
import { useEnterApp } from '#web/identity/layout/enter-app.ts'
import { messageOf } from '#web/lib/api.ts'
import { keepNext, withNext } from '#web/lib/sign-in-redirect.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Stepper } from '#web/ui/stepper.tsx'

const REDIRECT_AFTER_MS = 1500

const HEADINGS = [
  msg`Create your account`,
  msg({ message: 'Secure your account', comment: 'The account' }),
  msg`Check your details`,
] as const
const INTROS = [
  msg`Let's start with your name and email.`,
  msg`Add your phone number and choose a password only you know.`,
  msg`Does everything look right? You can change it later.`,
] as const

/** The step in view. Each has an entry of the browser's history, so its Back and ours are one. */
function useSteps(furthest: number) {
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const asked = Number((state as { step?: unknown } | null)?.step ?? 1) || 1
  const step = Math.min(asked, furthest)
  useEffect(() => {
    if (asked > step) void navigate(step - asked)
  }, [asked, step, navigate])
  return {
    step,
    goOn: () => void navigate({ pathname: paths.signup, search }, { state: { step: step + 1 } }),
    goTo: (earlier: number) => void navigate(earlier - step),
  }
}

/** Moves the focus to the heading of each new step or, where asked, to a refused field. */
function useFocus(step: number, form: UseFormReturn<SignUpForm>) {
  const shown = useRef(step)
  const refused = useRef<SignUpField | null>(null)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    const field = refused.current
    refused.current = null
    if (field && STEP_OF[field] === step) form.setFocus(field, { shouldSelect: true })
    else document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [step, form])
  return (field: SignUpField) => {
    refused.current = field
  }
}

function useDraftForm(): UseFormReturn<SignUpForm> {
  const form = useForm<SignUpForm>({
    defaultValues: { ...readDraft(), password: '', confirmPassword: '' },
    reValidateMode: 'onSubmit',
  })
  useEffect(() => form.subscribe({ formState: { values: true }, callback: ({ values }) => keepDraft(values) }), [form])
  return form
}

/** Opening an account, in three steps. */
export function SignUpScreen() {
  const { t } = useLingui()
  const form = useDraftForm()
  const { search } = useLocation()
  const { step, goOn, goTo } = useSteps(furthestStep(form.getValues()))
  const focusLater = useFocus(step, form)
  const enterApp = useEnterApp()
  const minLength = useQuery(currentSessionQuery).data?.passwordMinLength
  const { submit, showError, dismissError, busy, done } = useSubmission({
    send: signUp,
    loading: () => t`Creating your account…`,
    success: () => ({ message: t`Account created! Proceeding to KYC verification...` }),
    onRefused: (refusal) => {
      const field = refusedField(refusal)
      if (!field) return
      form.setError(field, { message: messageOf(refusal) })
      focusLater(field)
      goTo(STEP_OF[field])
    },
  })

  const onSubmit = form.handleSubmit(async (values) => {
    const problem = validate(values, step, minLength)
    if (problem) {
      for (const field of problem.fields) form.setError(field, { message: errorText(problem.code) })
      if (problem.fields[0]) form.setFocus(problem.fields[0])
      showError(problem.code)
      return
    }
    dismissError()
    if (step < STEPS) return goOn()
    const { fullName, email, phone, password } = values
    const content = { fullName: fullName.trim(), email: email.trim(), phone: phone.trim(), password }
    const me = await submit(content)
    if (!me) return
    dropDraft()
    enterApp(me, withNext(paths.kyc, search), REDIRECT_AFTER_MS)
    keepNext(search)
  })

  return (
    <AuthLayout
      title={t({ message: 'Sign Up', context: 'title of a screen' })}
      heading={t(HEADINGS[step - 1] ?? HEADINGS[0])}
      intro={t(INTROS[step - 1] ?? INTROS[0])}
      back={step === 1 ? paths.home : () => goTo(step - 1)}
    >
      <Stepper
        step={step}
        steps={STEPS}
        label={t({ message: 'Sign-up', comment: 'Names the bar that shows how far one has come' })}
      />
      <form
        key={step}
        noValidate
        onSubmit={(event) => void onSubmit(event)}
        className="flex flex-1 animate-screen-in flex-col gap-5"
      >
        {step === 1 && <NameStep form={form} />}
        {step === 2 && <PasswordStep form={form} />}
        {step === 3 && <ReviewStep form={form} goTo={goTo} busy={busy} done={done} />}
      </form>
    </AuthLayout>
  )
}
