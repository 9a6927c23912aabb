# The agent that is tested. A real one would ask a model; put yours here, in any language.
# It gets the task's input on its standard input, and what it writes to its standard output is its answer.
# It knows a question only as it is spelt here, so it fails where people mistype. Make '*capital*France*' a '*France*',
# and so on, and see what becomes of the verdict.

read -r question || true
case "$question" in
    *capital*France*) echo "Paris" ;;
    *capital*Japan*) echo "Tokyo" ;;
    *capital*Peru*) echo "Lima" ;;
    *) echo "I don't know." ;;
esac
