// Made by ingester/assembly/group-windows.mjs from the built-in signals.

/** Four bytes of each text to search for, grouped so that few other bytes pass the kernel's search. */
// prettier-ignore
export const GROUPED_WINDOWS: ReadonlyArray<readonly string[]> = [
  ["line","xcee","rgum","tine","REEM","_MEM","anic","te c","se f","se c","se m","de f","ce f","ch f","se M","on F","le o","sigF","leNo","on e","SIGS","SEGV","SIGK","t():"],
  ["sser","al 6","al 8","al 1","QUEU","TERM","-nan","al i","me e","al 9","'nan","mca_","aceb","DE F","CL e","CL E","as u","-NAN","as i"],
  ["ror:","ATAL"," nan","=nan",":nan","rtl:","rrtl","pl l","pm l","ry l","(nan","[nan","\"nan","Kill","_btl"," NAN"," NaN","KILL","=NAN","=NaN",":NaN","[E::","\"NaN"],
  ["nal ","ive ","or: ","nan","kill","OR: ","NAN","*** ","NaN","nick","nic:","_all","UBLA","E::"],
  ["ille","in r","gume","ed w","Exce","Memo","us e","ed l","ed f","e: -","itco","ELLE","IX E","UNCO","MEMO","e: *","]: *"],
  ["bort","or i","or t","on i","on t","on f","on d","ot f","or e","of m","an't","PREE","le n","on h","of u","ot o","Asse","of d","ob e","od h","Perm","om_k","om-k","or E","___/","Of M","OR o","OR h","Rout","BREN","at()","\\___"],
  ["r te","e fa","n fa","n de","t fo","e fo","f me","n ru","t co","d wi","dErr","CUDA","yErr","EQUE","ERRO","FATA","ERMI","ERM_","e to","s er","e me","n to","e ca","n ha","d li","d ha","e ch","r ch","s fo","t ex","f di","y li","d fu","b ex","nErr","n Fa","e Ma","r ED","e na","t ca","M wh","E wa","E ha","N er","t lo","TIME","E LI","E FA","CELL","SIGA","RENT","VERY","Y BA","uDNN","e de","e(s)","CUDN","UDNN","CUBL","T wa"],
  ["r in","t op","xcep","r ex","A er","Abor","allo","n er","l in","a ex","(lin","igFp","L er","L Er","IGAB","NCON",") ar"],
];
