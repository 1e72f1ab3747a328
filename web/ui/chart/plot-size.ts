/** The room that the plot has, drawn or on its way. */
export const PLOT_SIZE = 'my-1.5 h-52'
