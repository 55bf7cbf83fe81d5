# cmake -DVARVE=PROGRAM -DOUT=DIRECTORY -P write_pages.cmake: what is installed beside the program and
# what the program itself says: completions of three shells, a man page and one for each verb.
function(write file)
  execute_process(COMMAND ${VARVE} ${ARGN} OUTPUT_FILE ${OUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT}/bash-completion/completions ${OUT}/zsh/site-functions
  ${OUT}/fish/vendor_completions.d ${OUT}/man/man1)
write(bash-completion/completions/varve completion bash)
write(zsh/site-functions/_varve completion zsh)
write(fish/vendor_completions.d/varve.fish completion fish)
write(man/man1/varve.1 help --man)
execute_process(COMMAND ${VARVE} help --json OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(JSON count LENGTH "${help}" commands)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON name GET "${help}" commands ${i} name)
  string(REPLACE " " "-" page ${name})
  string(REPLACE " " ";" words ${name})
  write(man/man1/varve-${page}.1 help --man ${words})
endforeach()
