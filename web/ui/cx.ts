import { clsx } from 'clsx'

/** Joins class names, leaving out what is absent. (tailwind-merge would add 7 kB to the first load; `!` does the same.) */
export const cx = clsx
