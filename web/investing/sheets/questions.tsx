import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { SuitabilityAnswers } from '#contract/investing.ts'
import { SUITABILITY } from '#contract/investment-terms.ts'
import { answerSuitability, investmentsQuery } from '#web/investing/queries.ts'
import { Choice } from '#web/investing/sheets/choice.tsx'
import { formErrors, type Form, useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldNote } from '#web/ui/field.tsx'

type Question = keyof SuitabilityAnswers
type Values = Record<Question, string>

const QUESTIONS: Record<Question, MessageDescriptor> = {
  horizon: msg`When will you need this money?`,
  loss: msg`If it lost 20% of its value, what would you do?`,
  reserves: msg`How long could you live on your other savings?`,
}

const ANSWERS: { [Key in Question]: Record<SuitabilityAnswers[Key], MessageDescriptor> } = {
  horizon: {
    under_two_years: msg`In less than two years`,
    two_to_five_years: msg`In two to five years`,
    over_five_years: msg`In more than five years`,
  },
  loss: {
    sell: msg({ message: 'Sell it', comment: 'An answer to the question about an investment that has lost value' }),
    wait: msg({ message: 'Wait', comment: 'An answer to the question about an investment that has lost value' }),
    buy_more: msg({
      message: 'Buy more',
      comment: 'An answer to the question about an investment that has lost value',
    }),
  },
  reserves: {
    under_three_months: msg`Less than three months`,
    three_to_six_months: msg`Three to six months`,
    over_six_months: msg`More than six months`,
  },
}

/** The form allows only the listed answers, so the cast is safe. */
const answersOf = ({ horizon, loss, reserves }: Values) => ({ horizon, loss, reserves }) as SuitabilityAnswers

/** Shows the suitability test: three questions with three answers each. */
export function Questions() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const missing = (values: Values, field: Question) =>
    values[field] === '' && { field, code: 'fields_missing' as const, text: t`Choose an answer` }
  const form = useForm({
    initial: { horizon: '', loss: '', reserves: '' },
    check: (values: Values) =>
      formErrors(missing(values, 'horizon'), missing(values, 'loss'), missing(values, 'reserves')),
    read: answersOf,
    send: (answers: SuitabilityAnswers) => answerSuitability(answers),
    loading: () => t`Saving…`,
    // The next step appears instead of a success message.
    success: () => null,
    onDone: (suitability) =>
      queries.setQueryData(investmentsQuery.queryKey, (data) => data && { ...data, suitability }),
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <p className="text-pretty text-ink-soft">
        <Trans>Three short questions show how much risk is right for you.</Trans>
      </p>
      <QuestionField form={form} question="horizon" />
      <QuestionField form={form} question="loss" />
      <QuestionField form={form} question="reserves" />
      <Button type="submit" busy={form.busy}>
        <Trans>Continue</Trans>
      </Button>
    </form>
  )
}

function QuestionField({ form, question }: { form: Form<Values>; question: Question }) {
  const { t } = useLingui()
  const id = useId()
  const { ref, value, error } = form.field(question)
  const texts: Record<string, MessageDescriptor> = ANSWERS[question]
  return (
    <fieldset aria-describedby={error ? `${id}-note` : undefined} className="flex flex-col gap-2">
      <legend className="mb-2 font-medium text-pretty">{t(QUESTIONS[question])}</legend>
      {SUITABILITY[question].map((answer, index) => {
        const text = texts[answer]
        return (
          <Choice
            key={answer}
            ref={index === 0 ? ref : undefined}
            name={question}
            checked={value === answer}
            onChoose={() => form.set(question, answer)}
          >
            {text && t(text)}
          </Choice>
        )
      })}
      <FieldNote id={`${id}-note`} error={error} />
    </fieldset>
  )
}
